import { t } from '#web/t.ts'

type Described = {
  readonly paths: Record<
    string,
    Record<
      string,
      {
        summary: string
        parameters: { name: string; in: string }[]
        requestBody?: { content: { 'application/json': { example: object } } }
      }
    >
  >
}

/** Converts the external API's document to a Postman collection for a key; the token is a collection variable. */
export function collectionOf(
  document: Described,
  { origin, apiId, name }: { origin: string; apiId: string; name: string },
): object {
  const item = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary, parameters, requestBody }]) => {
      const query = parameters
        .filter((one) => one.in === 'query')
        .map(({ name: key }) => ({ key, value: '', disabled: true }))
      const url = `{{baseUrl}}${path.replace('{apiId}', '{{apiId}}')}`
      return {
        name: summary,
        request: {
          method: method.toUpperCase(),
          header: requestBody ? [{ key: 'Content-Type', value: 'application/json' }] : [],
          url: query.length > 0 ? { raw: url, host: [url], query } : url,
          ...(requestBody
            ? { body: { mode: 'raw', raw: JSON.stringify(requestBody.content['application/json'].example, null, 2) } }
            : {}),
        },
      }
    }),
  )
  return {
    info: {
      name: t('Guichê: {name}', { name }),
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: origin },
      { key: 'apiId', value: apiId },
      { key: 'token', value: '' },
    ],
    item,
  }
}
