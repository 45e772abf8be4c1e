import type { TestApp } from './test-app.js';

/**
 * Every route of every door of the service, as a request to it: its method and its path.
 * @param value of a parameter of a route, such as storeId of `/storefront/:storeId/catalog`
 */
export function routesOf(
  app: TestApp,
  value: (parameter: string, route: string) => string = () => '1',
): [method: string, path: string][] {
  const { stack } = app.nest.getHttpAdapter().getInstance().router as {
    stack: { route?: { path: string; methods: Record<string, boolean> } }[];
  };
  return stack.flatMap(({ route }) => {
    if (!route) return [];
    const path = route.path.replaceAll(/[:*](\w+)/g, (_, name: string) => value(name, route.path));
    const methods = Object.keys(route.methods).map((method) => method.toUpperCase());
    // A route of all methods is asked with one.
    return (methods.length > 4 ? ['POST'] : methods).map((method): [string, string] => [method, path]);
  });
}
