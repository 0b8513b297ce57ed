# Synthetic problems: the mixing network and the evaluation latents of every seed, shared by all scales.


rule synthetic_problem:
    output:
        card=f"{paths.data_root()}/synthetic/{{data}}/seed{{seed}}/card.json",
        mixing=f"{paths.data_root()}/synthetic/{{data}}/seed{{seed}}/mixing.npz",
        codes=f"{paths.data_root()}/synthetic/{{data}}/seed{{seed}}/codes.npz",
        provenance=f"{paths.data_root()}/synthetic/{{data}}/seed{{seed}}/provenance.json",
    log:
        "results/logs/synthetic_problem/{data}/seed{seed}.log",
    priority: 100
    localrule: True
    conda:
        "../envs/training.yaml"
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        spec=data_spec,
        key=lambda wildcards: DATA[wildcards.data].data_key,
        seed=lambda wildcards: int(wildcards.seed),
    message:
        "draw the mixing network and evaluation latents of {wildcards.data}, seed {wildcards.seed}"
    shell:
        "python -m demix.synthetic_problem --spec {params.spec:q} --seed {params.seed} --key {params.key} "
        "--out $(dirname {output.card:q}) > {log:q} 2>&1"
