/** Returns what is wrong with a value, as sentences that name the path. Empty if it matches the specification. */
export type Shape = (value: unknown, path?: string) => readonly string[];

function primitive(name: string, holds: (value: unknown) => boolean): Shape {
  return (value, path = '') => (holds(value) ? [] : [`${path} must be ${name}: ${JSON.stringify(value)}`]);
}

export const STRING = primitive('a string', (value) => typeof value === 'string');
export const BOOLEAN = primitive('a boolean', (value) => typeof value === 'boolean');
export const INT = primitive('an integer', (value) => Number.isSafeInteger(value));
export const DECIMAL = primitive(
  'a decimal string',
  (value) => typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value),
);
export const ADDRESS = primitive(
  'an address in lower case',
  (value) => typeof value === 'string' && /^0x[\da-f]{40}$/.test(value),
);

export function oneOf(...values: readonly string[]): Shape {
  return primitive(`one of ${values.join()}`, (value) => typeof value === 'string' && values.includes(value));
}

export function nullable(shape: Shape): Shape {
  return (value, path) => (value === null ? [] : shape(value, path));
}

export function array(element: Shape = () => []): Shape {
  return (value, path = '') =>
    Array.isArray(value)
      ? value.flatMap((item, index) => element(item, `${path}[${index}]`))
      : [`${path} must be an array: ${JSON.stringify(value)}`];
}

export function pair(first: Shape, second: Shape): Shape {
  return (value, path = '') =>
    Array.isArray(value) && value.length === 2
      ? [...first(value[0], `${path}[0]`), ...second(value[1], `${path}[1]`)]
      : [`${path} must be a pair: ${JSON.stringify(value)}`];
}

/** An object with these fields. Other fields are allowed. */
export function object(fields: Readonly<Record<string, Shape>>, optional: Readonly<Record<string, Shape>> = {}): Shape {
  return (value, path = '') => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${path} must be an object`];
    const found = value as Readonly<Record<string, unknown>>;
    const present = Object.entries(optional).filter(([name]) => name in found);
    return [...Object.entries(fields), ...present].flatMap(([name, shape]) => shape(found[name], `${path}.${name}`));
  };
}
