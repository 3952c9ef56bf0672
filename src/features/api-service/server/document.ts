import { z } from 'zod'
import { externalPaths } from './paths.ts'

const schema = (type: z.ZodType): object => {
  const { $schema: _, ...rest } = z.toJSONSchema(type, {
    io: 'input',
    unrepresentable: 'any',
    target: 'openapi-3.0',
  })
  return rest
}

/** Returns the external API as an OpenAPI 3.1 document. */
export function externalDocument(version: string): object {
  const paths: Record<string, object> = {}
  for (const { path, method, summary, body, example, upload } of externalPaths) {
    const shown = `/v2/api/external/{apiId}${path === '/' ? '' : path}`
    const apiId = { name: 'apiId', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }
    const form = { schema: { ...schema(body), description: 'Com um arquivo no campo medias.' } }
    const content = {
      'application/json': { schema: schema(body), example },
      ...(upload ? { 'multipart/form-data': form } : {}),
    }
    const inQuery = Object.keys(body instanceof z.ZodObject ? body.shape : {}).map((name) => ({
      name,
      in: 'query',
      schema: { type: 'string' },
    }))
    paths[shown] = {
      [method.toLowerCase()]: {
        operationId: `external${path === '/' ? '.send' : path.replace('/', '.')}`,
        summary,
        security: [{ bearer: [] }],
        parameters: [
          apiId,
          ...(method === 'GET' ? [...inQuery, { name: 'token', in: 'query', schema: { type: 'string' } }] : []),
        ],
        ...(method === 'GET' ? {} : { requestBody: { required: true, content } }),
        responses: {
          200: { description: 'ok' },
          400: { description: 'O pedido tem erros, por campo.' },
          401: { description: 'O token não vale.' },
        },
      },
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Guichê: API externa', version, description: 'Erros: `{ error, message, details, requestId }`.' },
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    paths,
  }
}
