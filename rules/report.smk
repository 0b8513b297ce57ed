# The report: every table and figure of the scale with captions, rules and run times, on one page.
def same_settings():
    """The configuration of this command, for another call of Snakemake."""
    settings = workflow.config_settings
    given = [f"{name}={json.dumps(value)}" for name, value in settings.config.items()]
    files = [str(Path(path).resolve()) for path in settings.configfiles]
    return [*(["--configfile", *files] if files else []), *(["--config", *given] if given else [])]


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
        settings=lambda wildcards: same_settings(),
    message:
        "write {output}"
    shell:
        "python -m snakemake all --report {output:q} --nolock --snakefile {params.snakefile:q} {params.settings:q} "
        "> {log:q} 2>&1"
