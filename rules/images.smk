# Image data sets. What comes from elsewhere is a checkpoint that always ends well: its card says whether the data is
# there, and tables whose data is not are shown as skipped. The next workflow tries again what was not available.


checkpoint download_kitti_masks:
    output:
        card=f"{paths.data_root()}/kitti_masks/{{external}}/card.json",
    log:
        "results/logs/data/kitti_masks-{external}.log",
    priority: 100
    localrule: True
    conda:
        "../envs/training.yaml"
    resources:
        mem_mb=4000,
        runtime=240,
    params:
        spec=lambda wildcards: image_data_spec(EXTERNAL[wildcards.external]),
        key=lambda wildcards: EXTERNAL[wildcards.external].data_key,
        # a function of the input, which Snakemake does not record: another address fetches nothing anew
        source=lambda wildcards, input: EXPERIMENT.datasets.kitti_masks.model_dump_json(),
        attempt=lambda wildcards: ATTEMPTS[paths.data_folder(EXTERNAL[wildcards.external], 0) / CARD],
    message:
        "get KITTI Masks"
    shell:
        "python -m demix.download_kitti_masks --spec {params.spec:q} --source {params.source:q} --key {params.key} "
        "--attempt {params.attempt} --out $(dirname {output.card:q}) > {log:q} 2>&1"


rule make_kitti_stand_in:
    output:
        card=f"{paths.data_root()}/kitti_stand_in/{{stand_in}}/card.json",
    log:
        "results/logs/data/kitti_stand_in-{stand_in}.log",
    priority: 100
    localrule: True
    conda:
        "../envs/training.yaml"
    resources:
        mem_mb=2000,
        runtime=20,
    params:
        spec=lambda wildcards: image_data_spec(STAND_INS[wildcards.stand_in]),
        key=lambda wildcards: STAND_INS[wildcards.stand_in].data_key,
    message:
        "make a stand-in for KITTI Masks"
    shell:
        "python -m demix.make_kitti_stand_in --spec {params.spec:q} --key {params.key} "
        "--out $(dirname {output.card:q}) > {log:q} 2>&1"
