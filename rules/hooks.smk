# What happens around a workflow: who asks meanwhile learns what is still to come, and one that fails shows what it has.
from demix.collect import write_all_partial as write_tables
from demix.collect_figure import write_all_partial as write_figures
from demix.planned import announce


onstart:
    announce(path for job in workflow.dag.needrun_jobs() for path in map(str, job.output))


onerror:
    try:
        for text in write_tables(EXPERIMENT) + write_figures(EXPERIMENT):
            logger.warning(f"demix: not every result is there; what exists: {text}")
        files = "".join(f" --configfile {path}" for path in workflow.config_settings.configfiles)
        logger.warning(f"demix: every cell: python -m demix.cells --scale {EXPERIMENT.scale_name}{files}")
    except DemixError as error:
        logger.warning(f"demix: {error}")
