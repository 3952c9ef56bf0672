import { randomBytes } from 'node:crypto'
import { connectionOf, type FeatureMakers, rowsOf } from './maker.ts'

const body = { category: 'UTILITY', body: 'Podemos continuar?' }

export const makers: FeatureMakers = {
  params: {
    'messageTemplates.id': async (making) => {
      const at = making.product.platform.now()
      const connectionId = await connectionOf('lab')(making)
      const content = { format: 'POSITIONAL', header: null, body: 'Oi', samples: {}, footer: '', buttons: [] }
      return rowsOf(making).insert('message_templates', making.tenantId, {
        ...{
          connection_id: connectionId,
          provider_id: randomBytes(8).toString('hex'),
          name: 'volta',
          language: 'pt_BR',
        },
        ...{
          category: 'UTILITY',
          status: 'APPROVED',
          content: JSON.stringify(content),
          created_at: at,
          updated_at: at,
        },
      })
    },
  },
  bodies: {
    'messageTemplates.create': { name: 'volta', language: 'pt_BR', ...body },
    'messageTemplates.update': body,
    'messageTemplates.test': { number: '5511988887777', values: {} },
  },
}
