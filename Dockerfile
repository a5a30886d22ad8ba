# The service of docs/deployment.md: `reverie serve` on port 8377, its store in the volume /data.
# Linted (hadolint) and its commands run by the tests; the image itself was NOT built where this was written, which has no
# Docker daemon.

FROM python:3.13-slim AS build
WORKDIR /build
COPY requirements/image.txt requirements/image.txt
RUN python -m venv /srv/reverie \
    && /srv/reverie/bin/pip install --no-cache-dir --require-hashes -r requirements/image.txt
COPY pyproject.toml README.md LICENSE NOTICE ./
COPY plugins/openclaw plugins/openclaw
COPY src src
RUN /srv/reverie/bin/pip install --no-cache-dir --no-deps --no-build-isolation . \
    && /srv/reverie/bin/pip uninstall --yes hatchling packaging pathspec pluggy tomlkit trove-classifiers pip

FROM python:3.13-slim
LABEL org.opencontainers.image.title="Reverie" \
      org.opencontainers.image.description="A memory for AI agents that shows why it remembered" \
      org.opencontainers.image.licenses="Apache-2.0"
RUN groupadd --gid 10001 reverie \
    && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /data --shell /usr/sbin/nologin reverie \
    && install --directory --owner=10001 --group=10001 --mode=0700 /data
COPY --from=build /srv/reverie /srv/reverie
COPY deploy/with-secrets /srv/reverie/bin/with-secrets
ENV PATH=/srv/reverie/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    REVERIE_STORE=/data/reverie.db \
    REVERIE_SERVE_HOST=0.0.0.0 \
    REVERIE_SERVE_PORT=8377 \
    XDG_STATE_HOME=/data/state \
    XDG_CONFIG_HOME=/data/config
WORKDIR /data
VOLUME /data
USER 10001:10001
EXPOSE 8377
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as r; r.urlopen(f\"http://127.0.0.1:{os.environ['REVERIE_SERVE_PORT']}/readyz\", timeout=4)"]
ENTRYPOINT ["with-secrets", "reverie"]
CMD ["serve", "--create"]
