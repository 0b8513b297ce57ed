# What many machines and many people need: results from a shared cache, one head process in a folder, no jobs left over.
from demix import head
from demix.gpus import refuse_without_gpu
from demix.slurm import cancel_leftovers

if workflow.is_main_process:
    head.clear_stale_lock()


onstart:
    try:
        head.claim()
        if workflow.non_local_exec:
            cancel_leftovers(Path.cwd(), logger.warning)
        elif EXPERIMENT.device == "cuda" and any(job.rule.name == "train" for job in workflow.dag.needrun_jobs()):
            refuse_without_gpu(EXPERIMENT.scale_name)
    except DemixError as error:
        sys.exit(f"demix: error: {error}")


if STORE:

    # A hit is a light local step: no GPU, no job on a cluster. It is `train` in all but where its results come from.
    use rule train as reuse with:
        input:
            data=run_card,
            entry=cached_run,
        priority: 100
        localrule: True
        threads: 1
        resources:
            mem_mb=1000,
            runtime=10,
        params:
            device=lambda wildcards, input: "none",
        message:
            "take {params.name}, seed {wildcards.seed}, from the cache"

    ruleorder: reuse > train
