# Archipel's table in a container: docker build -t archipel . && docker run -p 8300:8300 -v archipel:/data archipel
FROM python:3.11-slim AS build
WORKDIR /source
COPY . .
RUN pip wheel --no-cache-dir --wheel-dir /wheels ".[cluster]"

FROM python:3.11-slim
RUN useradd --create-home --uid 1000 archipel && install -d -o archipel /data
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir --no-index --find-links /wheels "archipel[cluster]" && rm -rf /wheels
USER archipel
ENV ARCHIPEL_HOST=0.0.0.0 ARCHIPEL_PORT=8300 ARCHIPEL_DATABASE=/data/tables.sqlite3 ARCHIPEL_LOG_FORMAT=json
VOLUME /data
EXPOSE 8300
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8300/healthz', timeout=2)"]
STOPSIGNAL SIGTERM
CMD ["archipel", "serve", "--no-browser"]
