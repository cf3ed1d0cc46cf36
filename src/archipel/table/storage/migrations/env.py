"""Run by Alembic for every migration, with the connection that is passed in."""

from alembic import context

from archipel.table.storage.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
