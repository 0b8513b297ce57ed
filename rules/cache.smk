# Results from the cache that clones and people share. Where it has none, the input of these rules does not exist, so that
# they do not apply.
if PLAN.store:

    # A hit is a light local step: no GPU, no job on a cluster. It is `train` in all but where its results come from.
    use rule train as reuse with:
        input:
            data=ancient(RUNS.training_card),
            entry=ancient(RUNS.cached_run),
        priority: 100
        localrule: True
        threads: 1
        resources:
            mem_mb=1000,
            runtime=10,
        params:
            device=RUNS.no_device,
        message:
            "take {params.name}, seed {wildcards.seed}, from the cache"

    ruleorder: reuse > train

    # The same for rendered images.
    use rule render_shard as reuse_shard with:
        input:
            renderer=ancient(paths.renderer_card()),
            entry=ancient(RUNS.cached_shard),
        localrule: True
        threads: 1
        resources:
            mem_mb=1000,
            runtime=10,
        params:
            device=RUNS.no_device,
        message:
            "take {params.images} images from the cache: {wildcards.kind} {wildcards.name}, {wildcards.split} {wildcards.first}"

    ruleorder: reuse_shard > render_shard
