"""The history of finished games."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Tables from before are read into the history while the server runs: their logs are the truth.
    op.add_column("tables", sa.Column("noted", sa.Integer, nullable=False, server_default="0"))
    op.create_index("tables_noted", "tables", ["noted"])
    op.create_table(
        "played",
        sa.Column("who", sa.String(64), primary_key=True),
        sa.Column("table_id", sa.String(16), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("name", sa.String(48), nullable=False),
        sa.Column("result", sa.String(8), nullable=False),
        sa.Column("how", sa.String(8), nullable=False),
        sa.Column("moves", sa.Integer, nullable=False),
        sa.Column("score", sa.Integer, nullable=False),
        sa.Column("main", sa.Integer, nullable=False),
        sa.Column("rated", sa.Integer, nullable=False),
    )
    op.create_index("played_latest", "played", ["who", "main", "at"])
    op.create_table(
        "met",
        sa.Column("who", sa.String(64), primary_key=True),
        sa.Column("table_id", sa.String(16), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("other", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("opponent", sa.String(64), nullable=False),
        sa.Column("name", sa.String(48), nullable=False),
        sa.Column("result", sa.String(8), nullable=False),
        sa.Column("score", sa.Integer, nullable=False),
    )
    op.create_index("met_opponents", "met", ["who", "kind", "opponent"])
