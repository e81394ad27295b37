# One image for every role: all-in-one by default, web or worker by its command (docker-compose.yml).
FROM python:3.11-slim AS build
COPY requirements.lock .
RUN python -m venv /opt/venv \
    && /opt/venv/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements.lock

FROM python:3.11-slim
ENV PATH=/opt/venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    HOST=0.0.0.0 \
    PORT=8000 \
    PLAYGROUND_STATE=/var/lib/playground
RUN groupadd --system --gid 10001 playground \
    && useradd --system --uid 10001 --gid playground --home-dir /var/lib/playground --create-home --shell /usr/sbin/nologin playground
COPY --from=build /opt/venv /opt/venv
WORKDIR /app
COPY manage.py LICENSE ./
COPY scheduler_core scheduler_core
COPY playground playground
COPY templates templates
COPY static static
COPY docs docs
RUN python -m compileall -q scheduler_core playground
USER playground
VOLUME /var/lib/playground
EXPOSE 8000
# WhiteNoise serves static/ as it is, so nothing is collected here.
HEALTHCHECK --interval=10s --timeout=6s --start-period=30s --retries=3 \
    CMD ["python", "-m", "playground.deploy.healthcheck", "web"]
CMD ["python", "-m", "playground.launcher"]
