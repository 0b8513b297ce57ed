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


rule download_3dident:
    output:
        card=f"{paths.data_root()}/picture_archive/{{archive}}/card.json",
    log:
        "results/logs/data/picture_archive-{archive}.log",
    priority: 100
    localrule: True
    conda:
        "../envs/training.yaml"
    resources:
        mem_mb=1000,
        runtime=600,
    params:
        spec=lambda wildcards: as_json(ARCHIVES[wildcards.archive]),
        # a function of the input, which Snakemake does not record: another address fetches nothing anew
        urls=archive_urls,
        attempt=lambda wildcards: ATTEMPTS[paths.archive_card(ARCHIVES[wildcards.archive])],
    message:
        "get 3DIdent: {wildcards.archive}"
    shell:
        "python -m demix.download_3dident --spec {params.spec:q} --urls {params.urls:q} --attempt {params.attempt} "
        "--out $(dirname {output.card:q}) > {log:q} 2>&1"


checkpoint unpack_3dident:
    input:
        archives=archive_cards,
    output:
        card=f"{paths.data_root()}/downloaded_pictures/{{downloaded}}/card.json",
    log:
        "results/logs/data/downloaded_pictures-{downloaded}.log",
    priority: 100
    localrule: True
    conda:
        "../envs/training.yaml"
    resources:
        mem_mb=2000,
        runtime=240,
    params:
        spec=lambda wildcards: image_data_spec(DOWNLOADED[wildcards.downloaded]),
        key=lambda wildcards: DOWNLOADED[wildcards.downloaded].data_key,
        attempt=lambda wildcards: ATTEMPTS[paths.data_folder(DOWNLOADED[wildcards.downloaded], 0) / CARD],
    message:
        "unpack 3DIdent"
    shell:
        "python -m demix.unpack_pictures --spec {params.spec:q} --archives {input.archives:q} --key {params.key} "
        "--attempt {params.attempt} --out $(dirname {output.card:q}) > {log:q} 2>&1"


checkpoint read_local_pictures:
    output:
        card=f"{paths.data_root()}/local_pictures/{{local}}/card.json",
    log:
        "results/logs/data/local_pictures-{local}.log",
    priority: 100
    localrule: True
    conda:
        "../envs/training.yaml"
    resources:
        mem_mb=2000,
        runtime=240,
    params:
        spec=lambda wildcards: image_data_spec(LOCAL[wildcards.local]),
        key=lambda wildcards: LOCAL[wildcards.local].data_key,
        attempt=lambda wildcards: ATTEMPTS[paths.data_folder(LOCAL[wildcards.local], 0) / CARD],
    message:
        "read 3DIdent from a folder"
    shell:
        "python -m demix.unpack_pictures --spec {params.spec:q} --key {params.key} --attempt {params.attempt} "
        "--out $(dirname {output.card:q}) > {log:q} 2>&1"
