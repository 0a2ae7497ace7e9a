# One image for every process: the API by default, `npm run worker`, `npm run migrate`, `npm run cluster`.
FROM node:24-slim
WORKDIR /app
COPY package.json package-lock.json ./
COPY dev/run dev/run
# The last line checks that the packages whose install scripts matter are complete.
RUN npm ci --no-audit --no-fund && dev/run -e ''
COPY . .
USER node
EXPOSE 8080
CMD ["npm", "run", "api"]
