# What happens around a workflow: who asks meanwhile learns what is still to come, and one that fails shows what it has.
from demix.collect import write_all_partial
from demix.planned import announce


onstart:
    announce(path for job in workflow.dag.needrun_jobs() for path in map(str, job.output))


onerror:
    try:
        for table in write_all_partial(EXPERIMENT):
            logger.warning(f"demix: not every result is there; what exists: {table}")
        files = "".join(f" --configfile {path}" for path in workflow.config_settings.configfiles)
        logger.warning(f"demix: every cell: python -m demix.cells --scale {EXPERIMENT.scale_name}{files}")
    except DemixError as error:
        logger.warning(f"demix: {error}")
