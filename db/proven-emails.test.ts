import { readFileSync } from 'node:fs'
import pg from 'pg'
import { expect, test } from 'vitest'
import { recordAudit } from '#server/audit.ts'
import { addToDirectory } from '#server/db/directory.ts'
import { make } from '#test/make.ts'
import { createDatabase, startProduct } from '#test/server.ts'

const text = readFileSync(new URL('./migrations/0019_proven_emails.sql', import.meta.url), 'utf8')
const [proves, forgets] = [/^with changed[\s\S]*?;$/m, /^delete from directory[\s\S]*?;$/m].map(
  (part) => part.exec(text)![0],
)

test('of what was before, only addresses count as proven whose link for a new password was opened since they changed', async () => {
  const url = await createDatabase()
  const product = await startProduct({}, url)
  const owner = new pg.Client({ connectionString: url })
  await owner.connect()
  try {
    const { platform } = product
    const m = make(platform)
    const tenantId = await m.tenant()
    const people: Record<string, number> = {}
    for (const name of ['never', 'reset', 'refused', 'changed', 'changedByAdmin', 'changedBefore', 'domain'])
      people[name] = (
        await m.user(tenantId, { email: `${name.toLowerCase()}@${name === 'domain' ? 'sol.test' : 'x.test'}` })
      ).id
    const opened = (name: string, result = 'ok') =>
      recordAudit(platform, tenantId, { action: 'password.changed', actor: { id: people[name]!, name }, result })
    const changed = (name: string, by: string) =>
      recordAudit(platform, by === name ? tenantId : 'platform', {
        action: 'users.update',
        summary: 'Alterar um usuário',
        actor: { id: people[by]!, name: by },
        ...(by === name ? {} : { target: { id: people[name]! } }),
        before: { email: 'a@x.test' },
        after: { email: 'b@x.test' },
      })
    await changed('changedBefore', 'changedBefore')
    for (const name of ['reset', 'changed', 'changedByAdmin', 'changedBefore']) await opened(name)
    await opened('refused', 'ERR_CODE_INVALID')
    await changed('changed', 'changed')
    await changed('changedByAdmin', 'never')
    await platform.db.asPlatform(async (db) => {
      await db
        .updateTable('tenants')
        .set({ domains: ['sol.test'] })
        .where('id', '=', tenantId)
        .execute()
      for (const [name, id] of Object.entries(people))
        await addToDirectory(db, { kind: 'oidc', key: name, tenantId, subjectId: String(id) })
    })
    await owner.query(proves!)
    await owner.query(forgets!)
    const rows = await owner.query('select id, proven_email = email as proven from users')
    const proven = Object.keys(people).filter((name) => rows.rows.find(({ id }) => Number(id) === people[name]).proven)
    const kept = await owner.query("select subject_id from directory where kind = 'oidc'")
    const linked = Object.keys(people).filter((name) =>
      kept.rows.some((row) => Number(row.subject_id) === people[name]),
    )
    expect(proven).toEqual(['reset', 'changedBefore'])
    expect(linked).toEqual(['reset', 'changedBefore', 'domain'])
  } finally {
    await owner.end()
    await product.close()
  }
})
