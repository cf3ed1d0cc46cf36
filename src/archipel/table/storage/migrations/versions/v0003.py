"""People who have watched a hand; when and on which device a cookie was last used."""

import time

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "lookers",
        sa.Column("who", sa.String(64), primary_key=True),
        sa.Column("table_id", sa.String(16), primary_key=True),
    )
    # Existing cookies count as used now, so that nobody loses a session by upgrading.
    now = str(time.time_ns() // 1_000_000)
    op.add_column("cookies", sa.Column("used", sa.BigInteger, nullable=False, server_default=now))
    op.add_column("cookies", sa.Column("device", sa.String(48), nullable=False, server_default=""))
    op.create_index("cookies_of", "cookies", ["who"])
