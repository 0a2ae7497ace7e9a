# One image for every process: the API by default, `node activities/worker.ts`, and the operator's commands
# (`node dev/operator/migrate.ts`, `node dev/operator/cluster.ts`, `npm run workspace -- …`).
#
# A tag may come to mean another image. Build with the digest of the one you have looked at:
#   docker build --build-arg NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:… .
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The lock's own Node is for machines with an older one; here the image's runs.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/node-linux-* node_modules/.bin/node

FROM ${NODE_IMAGE}
WORKDIR /app
ENV NODE_ENV=production
COPY --from=packages /app/node_modules node_modules
COPY . .
# Notes that the packages are those of the lock, so that npm's scripts install nothing.
RUN dev/run -e ''
USER node
# As dev/run sets them.
ENV NODE_COMPILE_CACHE=/home/node/.cache/node MALLOC_ARENA_MAX=2 MALLOC_TRIM_THRESHOLD_=131072
RUN node dev/operator/warm.ts
EXPOSE 8080
# The API answers at PORT, a worker where METRICS_PORT says: give it one.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.METRICS_PORT || process.env.PORT || 8080) + '/livez').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# A worker finishes the letters in hand before it ends: give it three minutes (docker stop -t 180).
# Run it with an init process (docker run --init) and, if you like, a read-only root with a /tmp of its own.
CMD ["node", "api/server.ts"]
