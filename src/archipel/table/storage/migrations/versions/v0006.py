"""Notices: what people wish, where they are notified, whose turn it is, and the outbox."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "wishes",
        sa.Column("who", sa.String(64), primary_key=True),
        sa.Column("language", sa.String(2), nullable=False),
        sa.Column("zone", sa.String(64), nullable=False),
        sa.Column("quiet_from", sa.Integer),
        sa.Column("quiet_until", sa.Integer),
        sa.Column("digest", sa.Integer),
        sa.Column("next_digest", sa.BigInteger),
        sa.Column("reminders", sa.Integer, nullable=False),
        sa.Column("away_until", sa.BigInteger),
        sa.Column("changed", sa.BigInteger, nullable=False),
    )
    op.create_index("wishes_changed", "wishes", ["changed"])
    op.create_index("wishes_digest", "wishes", ["next_digest"])
    op.create_table(
        "channels",
        sa.Column("id", sa.String(24), primary_key=True),
        sa.Column("who", sa.String(64), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("label", sa.String(80), nullable=False),
        sa.Column("cookie", sa.String(64), nullable=False),
        sa.Column("code", sa.String(64), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("failing", sa.BigInteger),
    )
    op.create_index("channels_of", "channels", ["who"])
    op.create_table(
        "turns",
        sa.Column("table_id", sa.String(16), primary_key=True),
        sa.Column("who", sa.String(64), primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("awaited", sa.Integer, nullable=False),
        sa.Column("state", sa.Integer, nullable=False),
        sa.Column("remind_at", sa.BigInteger),
    )
    op.create_index("turns_state", "turns", ["state", "at"])
    op.create_index("turns_remind", "turns", ["remind_at"])
    op.create_index("turns_of", "turns", ["who", "awaited"])
    op.create_table(
        "notices",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("channel", sa.String(24), nullable=False),
        sa.Column("who", sa.String(64), nullable=False),
        sa.Column("table_id", sa.String(16), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("next", sa.BigInteger, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("claimed", sa.Integer, nullable=False),
    )
    op.create_index("notices_next", "notices", ["next"])
    op.create_index("notices_of", "notices", ["channel"])
    op.create_table(
        "secrets",
        sa.Column("name", sa.String(16), primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )
