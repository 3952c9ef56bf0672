import { uuidv7 } from '#server/ids.ts'
import { connectionOf, type FeatureMakers, type Making, rowsOf } from './maker.ts'

async function keyOf(making: Making): Promise<string> {
  const at = making.product.platform.now()
  const id = uuidv7()
  const connection_id = await connectionOf('lab')(making)
  const row = { id, name: 'Minha chave', connection_id, user_id: making.userId, scopes: ['tickets:read'], hint: 'abcd' }
  await rowsOf(making).insert('api_keys', making.tenantId, { ...row, created_at: at, updated_at: at })
  return id
}

async function approvalOf(making: Making): Promise<string> {
  const at = making.product.platform.now()
  const id = uuidv7()
  const row = { id, key_id: await keyOf(making), operation: 'tags.remove', input: '{"id":1}', created_at: at }
  const expires_at = new Date(at.getTime() + 3_600_000)
  await rowsOf(making).insert('mcp_approvals', making.tenantId, { ...row, expires_at })
  return id
}

export const makers: FeatureMakers = {
  params: { 'apiKeys.id:uuid': keyOf, 'mcpApprovals.id:uuid': approvalOf },
  bodies: { 'apiKeys.update': { name: 'Outro nome' } },
}
