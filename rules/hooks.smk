# What happens around a workflow: one head process in a folder and no jobs left over; who asks meanwhile learns what is
# still to come; a workflow that fails shows what it has.
from demix.workflow import head
from demix.collect import write_all_partial as write_tables
from demix.collect_figure import write_all_partial as write_figures
from demix.workflow.gpus import refuse_without_gpu
from demix.workflow.planned import announce
from demix.workflow.slurm import cancel_leftovers

if workflow.is_main_process:
    head.clear_stale_lock()


ON_GPU = {"train", "encode_set"}


onstart:
    with clear_errors():
        head.claim()
        if workflow.non_local_exec:
            cancel_leftovers(Path.cwd(), logger.warning)
        elif EXPERIMENT.device == "cuda" and ON_GPU & {job.rule.name for job in workflow.dag.needrun_jobs()}:
            refuse_without_gpu(EXPERIMENT.scale_name)
        planned = [path for job in workflow.dag.needrun_jobs() for path in map(str, job.output)]
        announce(planned, submits=workflow.non_local_exec)


onerror:
    try:
        for text in write_tables(EXPERIMENT) + write_figures(EXPERIMENT):
            logger.warning(f"demix: not every result is there; what exists: {text}")
        files = "".join(f" --configfile {path}" for path in workflow.config_settings.configfiles)
        logger.warning(f"demix: every cell: python -m demix.cells --scale {EXPERIMENT.scale_name}{files}")
    except (DemixError, OSError) as error:
        logger.warning(f"demix: {error}")
