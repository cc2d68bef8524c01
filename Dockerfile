# Two images, of the same server:
#
#   docker build --tag headgate-server .                             moves no rows, or into a ClickHouse server
#   docker build --tag headgate-server:chdb --target chdb .          has the embedded engine (570 MB more)
#
# docs/containers.md says how to run them.

# Any Debian with Node 22.19 or newer.
ARG NODE_IMAGE=docker.io/library/node:24-bookworm-slim

# The package as npm would install it: it holds all that it runs, and has no dependencies.
FROM ${NODE_IMAGE} AS package
WORKDIR /build
# turbo looks for pnpm there.
ENV PATH=/build/node_modules/.bin:$PATH TURBO_TELEMETRY_DISABLED=1
COPY . .
RUN node tooling/toolchain/run.mjs install
RUN turbo run build --filter=headgate-server --output-logs=errors-only \
  && pnpm --dir apps/server pack --out /headgate-server.tgz \
  && tar --extract --gzip --no-same-owner --file /headgate-server.tgz --directory /

FROM ${NODE_IMAGE} AS engine
COPY apps/server/package.json /engine/server.json
# The version that the server wants at least.
RUN npm install --no-audit --no-fund --prefix /engine \
  "chdb@$(node --print 'require("/engine/server.json").peerDependencies.chdb.replace("^", "")')"

FROM ${NODE_IMAGE} AS runtime
# Group 0 may write, as well: with `--user 12345`, and where a cluster chooses a user, the group is 0.
RUN groupadd --gid 10001 headgate \
  && useradd --uid 10001 --gid headgate --no-create-home --home-dir /data --shell /usr/sbin/nologin headgate \
  && install --directory --owner 10001 --group 0 --mode 0770 /data \
  && ln --symbolic /opt/headgate/bin/headgate-server.mjs /usr/local/bin/headgate-server
COPY --from=package /package /opt/headgate
# The store is in the volume, unless HEADGATE_DATABASE_URL names a Postgres database.
ENV NODE_ENV=production HEADGATE_DATA=/data
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 7420
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD ["headgate-server", "health"]
ENTRYPOINT ["headgate-server"]
# A container is reached from outside of it, so the server cannot listen on loopback alone.
CMD ["--host", "0.0.0.0", "--insecure-http", "--credentials-file", "/data/first-credentials.json"]

FROM runtime AS chdb
COPY --from=engine /engine/node_modules /opt/headgate/node_modules

# The last one is what is built without --target.
FROM runtime AS server
