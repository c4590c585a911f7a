# The service of Scrubjay in a container: no root, no network of its own, nothing written.
#
#   docker build -t scrubjay .
#   docker run --rm -it -v "$PWD/tokens:/tokens" --user "$(id -u)" scrubjay \
#       token new ward --file /tokens/tokens.json
#   docker run --rm --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges \
#       -v "$PWD/tokens:/tokens:ro" -p 127.0.0.1:8000:8000 scrubjay
FROM python:3.11-slim AS build
WORKDIR /build
COPY pyproject.toml constraints.txt README.md LICENSE NOTICE ./
COPY src src
RUN python -m venv /opt/scrubjay \
    && /opt/scrubjay/bin/pip install --no-cache-dir -c constraints.txt ".[fast,neural,serve]" \
    && /opt/scrubjay/bin/scrubjay compile
FROM python:3.11-slim
COPY --from=build /opt/scrubjay /opt/scrubjay
RUN useradd --no-create-home --shell /usr/sbin/nologin --uid 10001 scrubjay
USER 10001
ENV PATH=/opt/scrubjay/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    NUMBA_CACHE_DIR=/tmp/numba \
    OMP_NUM_THREADS=1 \
    HF_HUB_OFFLINE=1
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=120s \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/readyz', timeout=4)"]
ENTRYPOINT ["scrubjay"]
CMD ["serve", "--model", "en-fast", "--host", "0.0.0.0", "--token-file", "/tokens/tokens.json"]
