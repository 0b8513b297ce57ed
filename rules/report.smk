# The report: every table and figure of the scale with captions, rules and run times, on one page.
from demix.report import same_settings


rule report:
    input:
        rules.all.input,
    output:
        str(paths.report_file(EXPERIMENT)),
    log:
        f"results/{EXPERIMENT.scale_name}/logs/report.log",
    localrule: True
    conda:
        "../envs/training.yaml"
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        snakefile=workflow.main_snakefile,
        settings=same_settings(workflow.config_settings),
    message:
        "write {output}"
    shell:
        "python -m demix.report --snakefile {params.snakefile:q} --out {output:q} {params.settings:q} > {log:q} 2>&1"
