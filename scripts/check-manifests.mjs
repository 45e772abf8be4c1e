// node scripts/check-manifests.mjs FOLDER: checks the manifests of a kustomization against the schemas of
// Kubernetes and of CloudNativePG, which come from two packages. Prints each problem, and exits with 1 if
// there is one.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';

const OTHERS = { 'postgresql.cnpg.io': '@kubernetes-models/cloudnative-pg' };

/** The class of a kind, from one of the packages. */
async function modelOf({ apiVersion, kind }) {
  const [group] = apiVersion.split('/');
  const models = await import(`${OTHERS[group] ?? 'kubernetes-models'}/${apiVersion}`).catch(() => ({}));
  return models[kind];
}

/**
 * Collects in `unread` the properties that the validation does not read. A server refuses unknown properties,
 * but the packages' schemas accept them. Since a property that is in no schema is never read, the unread ones
 * are the unknown ones.
 */
function watched(value, place, unread) {
  if (typeof value !== 'object' || value === null) return value;
  const placeOf = (key) => `${place}.${key}`;
  const copy = Array.isArray(value) ? [] : {};
  for (const key of Object.keys(value)) {
    copy[key] = watched(value[key], placeOf(key), unread);
    if (!Array.isArray(value)) unread.add(placeOf(key));
  }
  return new Proxy(copy, {
    get: (target, key) => {
      if (typeof key === 'string') unread.delete(placeOf(key));
      return target[key];
    },
    // Maps with free keys, such as labels, are enumerated instead.
    ownKeys: (target) => {
      for (const key of Object.keys(target)) unread.delete(placeOf(key));
      return Object.getOwnPropertyNames(target);
    },
  });
}

async function problemsOf(manifest) {
  const Model = await modelOf(manifest);
  if (!Model) return [`${manifest.apiVersion} has no kind ${manifest.kind}`];
  const unread = new Set();
  try {
    // Not called on an instance, because that would be a copy.
    Model.prototype.validate.call(watched(manifest, '', unread));
  } catch (error) {
    return [error.message];
  }
  return [...unread].map((place) => `${place.slice(1)} is not a field there is`);
}

const folder = process.argv[2];
const documents = (file) =>
  parseAllDocuments(readFileSync(path.join(folder, file), 'utf8')).map((document) => {
    if (document.errors.length > 0) throw new Error(`${file}: ${document.errors[0].message}`);
    return document.toJS();
  });

let count = 0;
const problems = [];
for (const file of documents('kustomization.yaml')[0].resources) {
  for (const manifest of documents(file)) {
    count++;
    for (const problem of await problemsOf(manifest))
      problems.push(`${file}: ${manifest.kind} ${manifest.metadata?.name}: ${problem}`);
  }
}
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.stdout.write(`${count} manifests, ${problems.length} problems\n`);
process.exit(problems.length > 0 ? 1 : 0);
