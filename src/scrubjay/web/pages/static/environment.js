// The bundle of text-annotator asks `process.env` which build it is; a browser has no such thing.
globalThis.process ??= { env: { NODE_ENV: "production" } };
