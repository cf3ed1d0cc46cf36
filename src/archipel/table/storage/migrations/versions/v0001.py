"""Tables, their log, sessions and links."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "tables",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("setup", sa.LargeBinary, nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("visibility", sa.String(8), nullable=False),
        sa.Column("status", sa.String(8), nullable=False),
        sa.Column("updated", sa.BigInteger, nullable=False),
        sa.Column("due", sa.BigInteger),
    )
    op.create_index("tables_listed", "tables", ["visibility", "status", "updated"])
    op.create_index("tables_due", "tables", ["due"])
    op.create_table(
        "entries",
        sa.Column("table_id", sa.String(16), primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("body", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "players",
        sa.Column("who", sa.String(64), primary_key=True),
        sa.Column("table_id", sa.String(16), primary_key=True),
    )
    op.create_table(
        "sessions",
        sa.Column("who", sa.String(64), primary_key=True),
        sa.Column("name", sa.String(48), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "cookies",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("who", sa.String(64), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "links",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("table_id", sa.String(16)),
        sa.Column("seat", sa.Integer),
        sa.Column("game", sa.Integer),
        sa.Column("maker", sa.String(64), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("until", sa.BigInteger),
    )
    op.create_index("links_of_table", "links", ["table_id"])
    op.create_table(
        "leases",
        sa.Column("table_id", sa.String(16), primary_key=True),
        sa.Column("worker", sa.String(32), nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
    )
