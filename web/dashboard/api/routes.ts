import type { components, paths } from './generated/routes';

/** The records that routes return, and their inputs. */
export type RouteSchemas = components['schemas'];

type Method = 'get' | 'post' | 'put' | 'delete';

/** A route of the dashboard: `GET stores/{storeId}/members`. */
export type RouteName = {
  [Path in keyof paths]: Path extends `/dashboard/api/${infer Rest}`
    ? { [M in Method]: paths[Path][M] extends object ? `${Uppercase<M>} ${Rest}` : never }[Method]
    : never;
}[keyof paths];

type Described<Name extends RouteName> = Name extends `${infer M} ${infer Rest}`
  ? paths[`/dashboard/api/${Rest}` & keyof paths][Lowercase<M> & Method]
  : never;

/** The parameters in the path and in the query, or nothing. */
type Given<Parameters> = [Parameters] extends [undefined] ? object : NonNullable<Parameters>;

type ParametersOf<Route> = Route extends { parameters: { path?: infer Path; query?: infer Query } }
  ? Given<Path> & Given<Query>
  : object;

/** A body without required fields may be missing. */
type BodyOf<Route> = Route extends { requestBody?: infer Given }
  ? NonNullable<Given> extends { content: { 'application/json': infer Body } }
    ? Body
    : object
  : object;

export type RouteInput<Name extends RouteName> = ParametersOf<Described<Name>> & BodyOf<Described<Name>>;

export type RouteOutput<Name extends RouteName> =
  Described<Name> extends { responses: { 200: { content: { 'application/json': { data: infer Data } } } } }
    ? Data
    : unknown;
