# Data: files that are fetched, data sets that are made, converted or rendered, problems that are drawn. What may not be
# available always exits with 0: its card says whether it is there, and tables whose data is not are shown as skipped. The
# next workflow tries again what was not available.


rule fetch_file:
    output:
        card=f"{DATA_ROOT}/files/{{source}}/{{file}}/card.json",
    log:
        "results/logs/fetch_file/{source}/{file}.log",
    priority: 100
    localrule: True
    conda:
        "../envs/training.yaml"
    resources:
        mem_mb=1000,
        runtime=600,
    params:
        spec=DATA.file_spec,
        attempt=DATA.file_attempt,
        options=DATA.file_options,
    message:
        "fetch {wildcards.file} of {wildcards.source}"
    shell:
        "python -m demix.fetch_file --spec {params.spec:q} --attempt {params.attempt} {params.options:q} "
        "--out {output.card:q} > {log:q} 2>&1"


checkpoint obtain_data:
    input:
        unpack(DATA.parts),
    output:
        card=f"{DATA_ROOT}/{{kind}}/{{name}}/card.json",
    log:
        "results/logs/obtain_data/{kind}-{name}.log",
    priority: 100
    localrule: True
    conda:
        "../envs/training.yaml"
    resources:
        mem_mb=4000,
        runtime=240,
    params:
        spec=DATA.spec,
        key=DATA.key,
        attempt=DATA.attempt,
        options=DATA.part_options,
    message:
        "obtain the data set {wildcards.kind} {wildcards.name}"
    shell:
        "python -m demix.obtain_data --spec {params.spec:q} --key {params.key} --attempt {params.attempt} "
        "{params.options:q} --out $(dirname {output.card:q}) > {log:q} 2>&1"


rule render_shard:
    input:
        renderer=ancient(paths.renderer_card()),
    output:
        f"{DATA_ROOT}/{{kind}}/{{name}}/rendering/{{split}}-{{first}}.parquet",
    log:
        "results/logs/render_shard/{kind}-{name}/{split}-{first}.log",
    priority: 100
    conda:
        "../envs/training.yaml"
    threads: DATA.render_threads
    resources:
        **PLAN.site.resources(DATA.render_gpus),
        mem_mb=lambda wildcards, attempt: 2000 * attempt,
        runtime=DATA.render_minutes,
    params:
        spec=DATA.spec,
        key=DATA.key,
        split=DATA.shard_split,
        first=DATA.shard_first,
        images=DATA.shard_count,
        device=DATA.render_device,
    message:
        "render {params.images} images: {wildcards.kind} {wildcards.name}, {wildcards.split} {wildcards.first}"
    shell:
        "python -m demix.render_shard --spec {params.spec:q} --key {params.key} --split {params.split} "
        "--first {params.first} --count {params.images} --renderer {input.renderer:q} --device {params.device} "
        "--threads {threads} --out {output:q} > {log:q} 2>&1"


rule synthetic_problem:
    output:
        card=f"{DATA_ROOT}/{{kind}}/{{data}}/seed{{seed}}/card.json",
        generator=f"{DATA_ROOT}/{{kind}}/{{data}}/seed{{seed}}/generator.npz",
        codes=f"{DATA_ROOT}/{{kind}}/{{data}}/seed{{seed}}/codes.npz",
        provenance=f"{DATA_ROOT}/{{kind}}/{{data}}/seed{{seed}}/provenance.json",
    log:
        "results/logs/synthetic_problem/{kind}/{data}/seed{seed}.log",
    priority: 100
    localrule: True
    conda:
        "../envs/training.yaml"
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        spec=DATA.problem_spec,
        key=DATA.problem_key,
        seed=RUNS.seed,
    message:
        "draw generator and evaluation latents of {wildcards.data}, seed {wildcards.seed}"
    shell:
        "python -m demix.synthetic_problem --spec {params.spec:q} --seed {params.seed} --key {params.key} "
        "--out $(dirname {output.card:q}) > {log:q} 2>&1"
