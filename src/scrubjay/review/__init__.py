"""Review projects: people mark documents, disagree, decide, and a model learns from it.

    from scrubjay.review.project import Project

    with Project.create("project", labels="i2b2-2014") as project:
        project.add_annotator("ana")
        project.import_corpus(["notes"])

See docs/projects.md.
"""
