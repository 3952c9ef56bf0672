import { z } from 'zod'
import type { Operation } from '#kit/contract.ts'
import { errorCatalogue } from '#kit/errors.ts'

type Target = 'openapi-3.0' | 'draft-2020-12'

/** Returns the JSON Schema of a schema's input or output, in the dialect of a target. */
export function jsonSchemaOf(type: z.ZodType, io: 'input' | 'output', target: Target) {
  const { $schema: _, ...rest } = z.toJSONSchema(type, { io, unrepresentable: 'any', target })
  return rest
}
const schema = (type: z.ZodType, io: 'input' | 'output') => jsonSchemaOf(type, io, 'openapi-3.0')

/** Builds the OpenAPI 3.1 document of the whole API from the contracts; `titles` are the names of the families. */
export function openApi(
  operations: readonly Operation[],
  version: string,
  titles: Readonly<Record<string, string>>,
): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const op of operations) {
    const path = `/api${op.path.replace(/:(\w+)/g, '{$1}')}`
    paths[path] = { ...paths[path], [op.method.toLowerCase()]: operation(op) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Guichê', version, description: 'Erros: `{ error, message, details, requestId }`.' },
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    tags: Object.entries(titles).map(([name, description]) => ({ name, description })),
    paths,
  }
}

function operation(op: Operation): object {
  const parameters = [
    ...fields(op.params).map(([name, type]) => ({ name, in: 'path', required: true, schema: schema(type, 'input') })),
    ...fields(op.query).map(([name, type]) => ({ name, in: 'query', required: false, schema: schema(type, 'input') })),
  ]
  const body = op.body && {
    required: true,
    content: {
      'application/json': { schema: schema(op.body, 'input') },
      ...(op.takesAny
        ? {
            'text/plain': { schema: { type: 'string' } },
            'application/x-www-form-urlencoded': { schema: { type: 'object' } },
          }
        : {}),
      ...(op.upload
        ? {
            'multipart/form-data': {
              schema: {
                type: 'object',
                properties: { medias: { type: 'array', items: { type: 'string', format: 'binary' } } },
                additionalProperties: true,
              },
            },
          }
        : {}),
    },
  }
  const failures = Map.groupBy(op.errors ?? [], (code) => errorCatalogue[code].status)
  return {
    operationId: op.name,
    summary: op.summary,
    tags: [op.family],
    ...(op.can === 'public' ? {} : { security: [{ bearer: [] }], description: `Permissão: \`${op.can}\`` }),
    parameters,
    ...(body ? { requestBody: body } : {}),
    responses: {
      [op.status ?? 200]: {
        description: 'ok',
        content: { 'application/json': { schema: schema(op.returns, 'output') } },
      },
      ...Object.fromEntries(
        [...failures].map(([status, codes]) => [
          status,
          { description: codes.map((code) => `${code}: ${errorCatalogue[code].text}`).join('\n') },
        ]),
      ),
    },
  }
}

const fields = (type: z.ZodObject | undefined): [string, z.ZodType][] => Object.entries(type?.shape ?? {})
