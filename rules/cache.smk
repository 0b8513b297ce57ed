# What clones and people share: results from the cache.
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

    # The same for rendered pictures.
    use rule render_shard as reuse_shard with:
        input:
            latents=f"{paths.data_root()}/{{rendering}}/{{pictures}}/rendering/{{split}}_latents.npy",
            renderer=ancient(paths.renderer_card()),
            entry=cached_shard,
        localrule: True
        threads: 1
        resources:
            mem_mb=1000,
            runtime=10,
        params:
            device=lambda wildcards, input: "none",
        message:
            "take {params.pictures} pictures from the cache: {wildcards.rendering} {wildcards.pictures}, {wildcards.split} {wildcards.first}"

    ruleorder: reuse_shard > render_shard
