FROM node:24.11.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/client/package.json packages/client/package.json
COPY packages/import/package.json packages/import/package.json
# Exactly what the lockfile says, checksums too.
RUN npm ci --no-audit --no-fund
COPY CHANGELOG.md ./
COPY scripts scripts
COPY migrations migrations
COPY src src
COPY web web
# The pages read files of shops as this package does.
COPY packages/import/src packages/import/src
# docker build --build-arg COMMIT=$(git rev-parse HEAD)
ARG COMMIT
# The bundles hold all packages but those that shipped gets: pg's, argon2's, and the files of /docs.
RUN npm run build && npm run --silent sbom > sbom.cdx.json && node scripts/image/shipped.mjs shipped

FROM node:24.11.0-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0
WORKDIR /app
COPY --from=build /app/package.json /app/sbom.cdx.json /app/CHANGELOG.md ./
COPY --from=build /app/shipped/licences.txt ./
COPY --from=build /app/shipped/node_modules node_modules
COPY --from=build /app/dist dist
# npm run --silent shop -- …, the operator's command line.
COPY --from=build /app/scripts scripts
# A volume that is mounted here belongs to whom the folder belongs to.
RUN mkdir /backups && chown node:node /backups
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", \
    "fetch('http://127.0.0.1:'+(process.env.PORT||3000)+'/health/ready').then(r=>process.exit(r.ok?0:1))"]
CMD ["node", "dist/src/main.js"]
