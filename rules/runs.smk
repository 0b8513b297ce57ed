# Runs: one training job for each (run, seed), one scoring job for each run over its seeds.


rule train:
    input:
        data=run_card,
    output:
        encoder="results/{scale}/runs/{run}/seed{seed}/encoder.pt",
        codes="results/{scale}/runs/{run}/seed{seed}/codes.npz",
        history="results/{scale}/runs/{run}/seed{seed}/history.parquet",
        provenance="results/{scale}/runs/{run}/seed{seed}/provenance.json",
    log:
        "results/{scale}/logs/train/{run}/seed{seed}.log",
    priority: run_priority
    conda:
        "../envs/training.yaml"
    threads: run_threads
    resources:
        **SITE.resources(GPUS),
        mem_mb=run_memory,
        runtime=run_minutes,
    params:
        name=lambda wildcards: RUNS[wildcards.run].id,
        spec=run_spec,
        key=lambda wildcards: RUNS[wildcards.run].key,
        seed=lambda wildcards: int(wildcards.seed),
        # a function of the input, which Snakemake does not record: another device retrains nothing
        device=lambda wildcards, input: EXPERIMENT.device,
    message:
        "train {params.name}, seed {wildcards.seed}"
    shell:
        "python -m demix.train --name {params.name} --spec {params.spec:q} --seed {params.seed} --key {params.key} "
        "--data {input.data:q} --device {params.device} --out $(dirname {output.encoder:q}) > {log:q} 2>&1"


rule score_pixels:
    input:
        data=lambda wildcards: ancient(paths.data_folder(PIXELS[wildcards.pixels], 0) / CARD),
    output:
        codes="results/{scale}/raw/{pixels}/seed{seed}/codes.npz",
        provenance="results/{scale}/raw/{pixels}/seed{seed}/provenance.json",
    log:
        "results/{scale}/logs/score_pixels/{pixels}/seed{seed}.log",
    priority: 50
    conda:
        "../envs/training.yaml"
    resources:
        mem_mb=lambda wildcards: pixels_memory_mb(PIXELS[wildcards.pixels].spec),
        runtime=60,
    params:
        name=lambda wildcards: PIXELS[wildcards.pixels].id,
        spec=lambda wildcards: as_json(PIXELS[wildcards.pixels].spec.problem),
        key=lambda wildcards: PIXELS[wildcards.pixels].key,
        seed=lambda wildcards: int(wildcards.seed),
    message:
        "score raw pixels: {params.name}, seed {wildcards.seed}"
    shell:
        "python -m demix.score_pixels --name {params.name} --spec {params.spec:q} --seed {params.seed} "
        "--key {params.key} --data {input.data:q} --out $(dirname {output.codes:q}) > {log:q} 2>&1"


rule score:
    input:
        seed_results,
    output:
        "results/{scale}/scores/{scored}.parquet",
    log:
        "results/{scale}/logs/score/{scored}.log",
    priority: 50
    localrule: True
    conda:
        "../envs/training.yaml"
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        name=lambda wildcards: SCORED[wildcards.scored].id,
        key=lambda wildcards: SCORED[wildcards.scored].key,
        code=step_code("demix.scores"),
        layout=4,  # of the file: another one where its columns change
        seeds=lambda wildcards: len(SCORED[wildcards.scored].seeds),
        folders=lambda wildcards, input: folders_of(input),
    message:
        "score {params.name}"
    shell:
        "python -m demix.score --run {params.name} --key {params.key} --results {params.folders:q} "
        "--out {output:q} > {log:q} 2>&1"
