import { isObject } from './json.ts';
import type { z } from './zod.ts';

type Fits = (value: unknown) => boolean;

const compiled = new WeakMap<z.core.$ZodType, Fits>();

/**
 * Whether a value passes a schema that transforms nothing. It stops at the first fault and copies nothing: parsing
 * records every fault of a large value, which takes seconds, and is slow under the dashboard's content security policy.
 * What is not supported here is left to the library.
 */
export function fits<Schema extends z.core.$ZodType>(schema: Schema, value: unknown): value is z.core.output<Schema> {
  return fitsOf(schema)(value);
}

function fitsOf(schema: z.core.$ZodType): Fits {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  // Lets a schema that contains itself find this entry while it is being compiled.
  compiled.set(schema, (value) => fits(schema, value));
  const made = compile(schema as z.core.$ZodTypes, (value) => (schema as z.ZodType).safeParse(value).success);
  compiled.set(schema, made);
  return made;
}

function compile({ _zod: internals }: z.core.$ZodTypes, bySchema: Fits): Fits {
  const { def } = internals;
  if (def.type === 'number' || def.type === 'string') return compileBounded(def, bySchema);
  if (def.checks !== undefined && def.checks.length > 0) return bySchema;
  switch (def.type) {
    case 'object':
      return compileObject(def.shape);
    case 'array': {
      const item = fitsOf(def.element);
      return (value) => Array.isArray(value) && value.every(item);
    }
    case 'tuple': {
      const items = def.items.map(fitsOf);
      if (def.rest !== null) return bySchema;
      return (value) =>
        Array.isArray(value) && value.length === items.length && items.every((item, index) => item(value[index]));
    }
    case 'record': {
      const [key, item] = [fitsOf(def.keyType), fitsOf(def.valueType)];
      return (value) => isObject(value) && Object.entries(value).every(([name, held]) => key(name) && item(held));
    }
    case 'nullable': {
      const inner = fitsOf(def.innerType);
      return (value) => value === null || inner(value);
    }
    case 'optional': {
      const inner = fitsOf(def.innerType);
      return (value) => value === undefined || inner(value);
    }
    case 'boolean':
      return (value) => typeof value === 'boolean';
    case 'enum': {
      const values = new Set<unknown>(Object.values(def.entries));
      return (value) => values.has(value);
    }
    case 'template_literal': {
      const { pattern } = internals as z.core.$ZodTemplateLiteral['_zod'];
      return (value) => typeof value === 'string' && pattern.test(value);
    }
    default:
      return bySchema;
  }
}

function compileObject(shape: Readonly<Record<string, z.core.$ZodType>>): Fits {
  const fields = Object.entries(shape).map(([name, field]) => [name, fitsOf(field)] as const);
  return (value) => {
    if (!isObject(value)) return false;
    for (const [name, field] of fields) if (!field(value[name])) return false;
    return true;
  };
}

/** Strings and numbers, with the bounds that our schemas put on them. */
function compileBounded(def: z.core.$ZodNumberDef | z.core.$ZodStringDef, bySchema: Fits): Fits {
  const bounds: ((value: string | number) => boolean)[] = [];
  for (const { _zod } of def.checks ?? []) {
    const check = (_zod as z.core.$ZodChecks['_zod']).def;
    if (check.check === 'greater_than' && check.inclusive && typeof check.value === 'number') {
      const least = check.value;
      bounds.push((value) => Number(value) >= least);
    } else if (check.check === 'min_length') bounds.push((value) => String(value).length >= check.minimum);
    else if (check.check === 'max_length') bounds.push((value) => String(value).length <= check.maximum);
    else return bySchema;
  }
  const within = (value: string | number) => bounds.every((bound) => bound(value));
  if (def.type === 'string') {
    if ('format' in def) return bySchema;
    return (value) => typeof value === 'string' && within(value);
  }
  if (!('format' in def) || def.format !== 'safeint') return bySchema;
  return (value) => typeof value === 'number' && Number.isSafeInteger(value) && within(value);
}
