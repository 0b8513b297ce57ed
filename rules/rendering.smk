# 3DIdent, rendered: the environment to render in, latents, a job for each shard of pictures, then what training reads.
# Without an environment the first step and the last end well all the same: their cards say why, and what helps.


checkpoint make_renderer:
    output:
        card=str(paths.renderer_card()),
    log:
        "results/logs/data/renderer.log",
    priority: 100
    localrule: True
    conda:
        "../envs/training.yaml"
    resources:
        mem_mb=2000,
        runtime=60,
    params:
        attempt=RENDERER_ATTEMPT,
    message:
        "find or set up an environment to render in"
    shell:
        "python -m demix.render_environment --attempt {params.attempt} --out $(dirname {output.card:q}) > {log:q} 2>&1"


rule picture_latents:
    output:
        f"{paths.data_root()}/{{rendering}}/{{pictures}}/rendering/{{split}}_latents.npy",
    log:
        "results/logs/data/{rendering}-{pictures}/{split}_latents.log",
    priority: 100
    localrule: True
    conda:
        "../envs/training.yaml"
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        spec=lambda wildcards: as_json(PICTURES[wildcards.pictures]),
    message:
        "draw the latents of {wildcards.rendering} {wildcards.pictures}, {wildcards.split}"
    shell:
        "python -m demix.picture_latents --spec {params.spec:q} --split {wildcards.split} --out {output:q} > {log:q} 2>&1"


rule render_shard:
    input:
        latents=f"{paths.data_root()}/{{rendering}}/{{pictures}}/rendering/{{split}}_latents.npy",
        renderer=ancient(paths.renderer_card()),
    output:
        f"{paths.data_root()}/{{rendering}}/{{pictures}}/rendering/{{split}}-{{first}}.parquet",
    log:
        "results/logs/data/{rendering}-{pictures}/{split}-{first}.log",
    priority: 100
    conda:
        "../envs/training.yaml"
    threads: RENDERING.threads
    resources:
        **SITE.resources(RENDER_GPUS),
        mem_mb=lambda wildcards, attempt: 2000 * attempt,
        runtime=shard_runtime,
    params:
        spec=lambda wildcards: as_json(PICTURES[wildcards.pictures]),
        key=lambda wildcards: result_key(PICTURES[wildcards.pictures]),
        first=lambda wildcards: int(wildcards.first),
        pictures=shard_count,
        split=lambda wildcards: wildcards.split,
        # a function of the input, which Snakemake does not record: another device renders nothing anew
        device=lambda wildcards, input: RENDERING.device,
    message:
        "render {params.pictures} pictures: {wildcards.rendering} {wildcards.pictures}, {wildcards.split} {wildcards.first}"
    shell:
        "python -m demix.render_shard --spec {params.spec:q} --key {params.key} --split {params.split} "
        "--first {params.first} --count {params.pictures} --latents {input.latents:q} --renderer {input.renderer:q} "
        "--device {params.device} --threads {threads} --out {output:q} > {log:q} 2>&1"


checkpoint pack_pictures:
    input:
        renderer=str(paths.renderer_card()),
        shards=data_shards,
        latents=data_latents,
    output:
        card=f"{paths.data_root()}/rendered_pictures/{{rendered}}/card.json",
    log:
        "results/logs/data/rendered_pictures-{rendered}/pack.log",
    priority: 100
    conda:
        "../envs/training.yaml"
    resources:
        **SITE.resources(0),
        mem_mb=2000,
        runtime=SITE.minutes(240),
    params:
        spec=lambda wildcards: as_json(RENDERED[wildcards.rendered]),
        key=lambda wildcards: result_key(RENDERED[wildcards.rendered]),
        attempt=lambda wildcards: ATTEMPTS[paths.pictures_home(RENDERED[wildcards.rendered]) / CARD],
    message:
        "pack rendered pictures {wildcards.rendered}"
    shell:
        "python -m demix.pack_pictures --spec {params.spec:q} --renderer {input.renderer:q} --key {params.key} "
        "--shards {input.shards:q} --latents {input.latents:q} --attempt {params.attempt} "
        "--out $(dirname {output.card:q}) > {log:q} 2>&1"


rule collect_pictures:
    input:
        renderer=str(paths.renderer_card()),
        shards=figure_shards,
    output:
        "results/{scale}/figures/{pictures_figure}.parquet",
    log:
        "results/{scale}/logs/collect_pictures/{pictures_figure}.log",
    priority: 50
    localrule: True
    conda:
        "../envs/training.yaml"
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        code=step_code("demix.figures.pictures"),
        plan=lambda wildcards: json.dumps(FIGURES[wildcards.pictures_figure]),
    message:
        "collect {wildcards.pictures_figure}"
    shell:
        "python -m demix.collect_pictures --plan {params.plan:q} --shards {input.shards:q} "
        "--renderer {input.renderer:q} --out {output:q} > {log:q} 2>&1"
