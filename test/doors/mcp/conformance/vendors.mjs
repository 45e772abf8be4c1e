// Hands every tool to the model vendors' own packages, as their users do, and reads what would go to each
// vendor. Node 22 runs it for conformance.mjs, since the packages need that: vendors.mjs <folder with the
// packages> <url>, the token in MCP_TOKEN.
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, url] = process.argv.slice(2);
const require = createRequire(path.join(folder, 'package.json'));
const load = (specifier) => import(pathToFileURL(require.resolve(specifier)).href);
const fileOf = (name, file) => path.join(folder, 'node_modules', name, file);

const { Client } = await load('@modelcontextprotocol/sdk/client/index.js');
const { StreamableHTTPClientTransport } = await load('@modelcontextprotocol/sdk/client/streamableHttp.js');
const { GoogleGenAI, mcpToTool } = await load('@google/genai');
const { default: OpenAI } = await load('openai');
const { default: Anthropic } = await load('@anthropic-ai/sdk');
const { mcpTools } = await load('@anthropic-ai/sdk/helpers/beta/mcp');
const { toStrictJsonSchema } = require(fileOf('openai', 'lib/transform.js'));
const { transformJSONSchema } = require(fileOf('@anthropic-ai/sdk', 'lib/transform-json-schema.js'));

/** A free object cannot be closed, as strict mode wants every object to be. */
const NOT_STRICT = ['create_payment_provider', 'update_payment_provider'];

const problems = [];
const complain = (vendor, tool, problem) => problems.push(`${vendor} refuses ${tool}: ${problem}`);

function attempt(vendor, tool, convert) {
  try {
    return convert();
  } catch (error) {
    complain(vendor, tool, error.message);
    return null;
  }
}

/**
 * Takes whatever the packages send and answers what ends the exchange. @returns the bodies by path, and the
 * server's address
 */
async function vendorServer() {
  const bodies = [];
  const server = http.createServer((request, response) => {
    let text = '';
    request.on('data', (data) => (text += data));
    request.on('end', () => {
      bodies.push(JSON.parse(text));
      const message = { role: 'assistant', content: 'done' };
      const answer = {
        candidates: [{ content: { role: 'model', parts: [{ text: 'done' }] }, finishReason: 'STOP' }],
        choices: [{ index: 0, message, finish_reason: 'stop' }],
        type: 'message',
        role: 'assistant',
        content: [{ type: 'text', text: 'done' }],
        stop_reason: 'end_turn',
        usage: { input_tokens: 1, output_tokens: 1 },
      };
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer));
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { bodies, server, baseURL: `http://127.0.0.1:${server.address().port}` };
}

/** Every schema inside a schema. */
function* schemas(schema) {
  yield schema;
  for (const inner of Object.values(schema.properties ?? {})) yield* schemas(inner);
  if (schema.items) yield* schemas(schema.items);
  for (const inner of schema.anyOf ?? []) yield* schemas(inner);
}

/** As a host does for strict mode: what is optional becomes nullable. */
function withNulls(schema) {
  if (schema.anyOf) return { ...schema, anyOf: schema.anyOf.map(withNulls) };
  if (schema.items) return { ...schema, items: withNulls(schema.items) };
  if (!schema.properties) return schema;
  const isNullable = ({ anyOf = [] }) => anyOf.some(({ type }) => type === 'null');
  const entries = Object.entries(schema.properties).map(([name, inner]) => {
    const isGiven = schema.required?.includes(name) || isNullable(inner);
    return [name, isGiven ? withNulls(inner) : { anyOf: [withNulls(inner), { type: 'null' }] }];
  });
  return { ...schema, required: Object.keys(schema.properties), properties: Object.fromEntries(entries) };
}

/** What structured outputs know of formats: platform.openai.com/docs/guides/structured-outputs. */
const STRICT_FORMATS = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'];

async function openAi(tools, { baseURL, bodies }) {
  const client = new OpenAI({ apiKey: 'none', baseURL });
  const functions = tools.map(({ name, description, inputSchema }) => ({
    type: 'function',
    function: { name, description, parameters: inputSchema },
  }));
  await client.chat.completions.create({
    model: 'any',
    messages: [{ role: 'user', content: 'hello' }],
    tools: functions,
  });
  for (const { function: sent } of bodies.pop().tools) {
    const { type, anyOf, oneOf, allOf, enum: values, not } = sent.parameters;
    if (type !== 'object' || anyOf || oneOf || allOf || values || not)
      complain('OpenAI', sent.name, 'the root is no plain object');
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(sent.name) || sent.description.length > 1024)
      complain('OpenAI', sent.name, 'its name or text');
  }
  const strict = tools.filter(({ name, inputSchema }) => {
    const isFree = NOT_STRICT.includes(name);
    const schema = isFree
      ? null
      : attempt('OpenAI strict', name, () => toStrictJsonSchema(withNulls(inputSchema)));
    for (const { format = 'date' } of schema ? schemas(schema) : []) {
      if (!STRICT_FORMATS.includes(format)) complain('OpenAI strict', name, `format ${format}`);
    }
    return schema;
  });
  return `OpenAI ${functions.length}, strict ${strict.length}`;
}

async function anthropic(tools, mcp, { baseURL, bodies }) {
  const client = new Anthropic({ apiKey: 'none', baseURL });
  const runnable = mcpTools(tools, mcp);
  await client.beta.messages.toolRunner({
    model: 'any',
    max_tokens: 10,
    messages: [{ role: 'user', content: 'hello' }],
    tools: runnable,
  });
  const { tools: sent } = bodies.pop();
  for (const { name, input_schema: schema } of sent) {
    if (schema.type !== 'object' || schema.anyOf || schema.oneOf || schema.allOf)
      complain('Anthropic', name, 'the root is no plain object');
    attempt('Anthropic strict', name, () => transformJSONSchema(schema));
  }
  return `Anthropic ${sent.length}`;
}

/**
 * The fields of the Schema message, from the package's own types: the service refuses a request with any
 * other.
 */
function geminiSchemaFields() {
  const types = readFileSync(fileOf('@google/genai', 'dist/genai.d.ts'), 'utf8');
  const [, body] = /export declare interface Schema \{(.*?)\n\}/s.exec(types);
  return new Set([...body.matchAll(/^ {4}(\w+)\?:/gm)].map(([, field]) => field));
}

async function gemini(tools, mcp, { baseURL, bodies }) {
  const ai = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: baseURL } });
  const ask = async (asked) => {
    await ai.models.generateContent({ model: 'any', contents: 'hello', config: { tools: [asked] } });
    return bodies.pop().tools[0].functionDeclarations;
  };
  const asJsonSchema = await ask(mcpToTool(mcp));
  for (const { name, parametersJsonSchema } of asJsonSchema) {
    if (parametersJsonSchema?.type !== 'object') complain('Gemini', name, 'no JSON schema arrived');
  }
  const declared = tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    parameters: inputSchema,
  }));
  const asParameters = await ask({ functionDeclarations: structuredClone(declared) });
  const known = geminiSchemaFields();
  for (const { name, parameters } of asParameters) {
    for (const schema of schemas(parameters)) {
      const unknown = Object.keys(schema).filter((field) => !known.has(field));
      if (unknown.length > 0) complain('Gemini parameters', name, `unknown ${unknown.join(', ')}`);
      const { type, anyOf, enum: values = ['a'], format = 'date', items } = schema;
      if (!/^(STRING|NUMBER|INTEGER|BOOLEAN|ARRAY|OBJECT)$/.test(type) && !anyOf)
        complain('Gemini parameters', name, `type ${type}`);
      if (!values.every((value) => typeof value === 'string' && value !== ''))
        complain('Gemini parameters', name, `enum ${values}`);
      if (values[0] !== 'a' && type !== 'STRING')
        complain('Gemini parameters', name, `an enum of type ${type}`);
      if (!['date', 'date-time'].includes(format)) complain('Gemini parameters', name, `format ${format}`);
      if (type === 'ARRAY' && !items) complain('Gemini parameters', name, 'a list without items');
    }
  }
  return `Gemini ${asJsonSchema.length} as JSON schema, ${asParameters.length} as parameters`;
}

const mcp = new Client({ name: 'vendors', version: '1.0.0' });
const requestInit = { headers: { Authorization: `Bearer ${process.env.MCP_TOKEN}` } };
await mcp.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
const { tools } = await mcp.listTools();
const vendor = await vendorServer();
const converted = [
  await openAi(tools, vendor),
  await anthropic(tools, mcp, vendor),
  await gemini(tools, mcp, vendor),
];
vendor.server.closeAllConnections();
vendor.server.close();
await mcp.close();
if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n`);
  process.exitCode = 1;
} else process.stdout.write(`${converted.join(', ')}, of ${tools.length} tools\n`);
