# Runs: a training for each run and seed, evaluation sets that it did not encode, one scoring job for each run.


rule train:
    input:
        data=ancient(RUNS.training_card),
    output:
        encoder="results/{scale}/runs/{run}/seed{seed}/encoder.pt",
        codes="results/{scale}/runs/{run}/seed{seed}/codes.npz",
        history="results/{scale}/runs/{run}/seed{seed}/history.parquet",
        provenance="results/{scale}/runs/{run}/seed{seed}/provenance.json",
    log:
        "results/{scale}/logs/train/{run}/seed{seed}.log",
    priority: RUNS.priority
    conda:
        "../envs/training.yaml"
    threads: RUNS.threads
    resources:
        **PLAN.site.resources(RUNS.gpus),
        mem_mb=RUNS.train_memory,
        runtime=RUNS.train_minutes,
    params:
        name=RUNS.name,
        spec=RUNS.spec,
        key=RUNS.key,
        seed=RUNS.seed,
        device=RUNS.device,
    message:
        "train {params.name}, seed {wildcards.seed}"
    shell:
        "python -m demix.train --name {params.name} --spec {params.spec:q} --seed {params.seed} --key {params.key} "
        "--data {input.data:q} --device {params.device} --out $(dirname {output.encoder:q}) > {log:q} 2>&1"


# Raw images are too many to be kept as codes: their scores are what is written.
rule encode:
    input:
        data=ancient(RUNS.card),
    output:
        codes="results/{scale}/raw/{run}/seed{seed}/codes.npz",
        provenance="results/{scale}/raw/{run}/seed{seed}/provenance.json",
    log:
        "results/{scale}/logs/encode/{run}/seed{seed}.log",
    priority: 50
    conda:
        "../envs/training.yaml"
    threads: RUNS.threads
    resources:
        mem_mb=RUNS.raw_memory,
        runtime=60,
    params:
        name=RUNS.name,
        spec=RUNS.spec,
        key=RUNS.key,
        seed=RUNS.seed,
        device=RUNS.cpu,
        options=[],
    message:
        "encode {params.name}, seed {wildcards.seed}"
    shell:
        "python -m demix.encode --name {params.name} --spec {params.spec:q} --seed {params.seed} --key {params.key} "
        "--data {input.data:q} --device {params.device} {params.options:q} --out {output.codes:q} > {log:q} 2>&1"


# An evaluation set that was added or changed after the training had finished, encoded with its weights.
use rule encode as encode_set with:
    input:
        data=ancient(RUNS.card),
        weights="results/{scale}/runs/{run}/seed{seed}/encoder.pt",
    output:
        codes="results/{scale}/runs/{run}/seed{seed}/sets/{set}-{set_key}.npz",
    log:
        "results/{scale}/logs/encode/{run}/seed{seed}-{set}-{set_key}.log",
    resources:
        **PLAN.site.resources(RUNS.gpus),
        mem_mb=RUNS.encode_memory,
        runtime=60,
    params:
        name=RUNS.name,
        spec=RUNS.spec,
        key=RUNS.key,
        seed=RUNS.seed,
        device=RUNS.device,
        options=RUNS.set_options,
    message:
        "encode {wildcards.set} of {params.name}, seed {wildcards.seed}"


rule score:
    input:
        results=RUNS.results,
        sets=RUNS.scored_sets,
    output:
        "results/{scale}/scores/{run}.parquet",
    log:
        "results/{scale}/logs/score/{run}.log",
    priority: 50
    localrule: True
    conda:
        "../envs/training.yaml"
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        name=RUNS.name,
        key=RUNS.key,
        requests=RUNS.requests,
        sets=RUNS.set_keys,
        code=RUNS.score_code,
        layout=5,  # of the file: another one where its columns change
        seeds=RUNS.seed_count,
        options=RUNS.score_options,
    message:
        "score {params.name}"
    shell:
        "python -m demix.score --run {params.name} --key {params.key} --requests {params.requests:q} "
        "{params.options:q} --out {output:q} > {log:q} 2>&1"
