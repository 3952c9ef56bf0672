import { describe, expect, it } from 'vitest'
import { importsBy } from '#test/contact-imports.ts'
import { make } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { contactImports } from './imports-contract.ts'

const product = withProduct()

describe('a column of tags', () => {
  it('adds tags by name, makes those that are new once, says whom it changed and what from, and is taken back', async () => {
    const m = make(product().platform)
    const company = await m.tenant()
    const { token } = await m.person(company, { profile: 'admin' })
    const by = importsBy(product, () => token)
    const vip = await m.tag(company, { tag: 'VIP' })
    const own = await m.tag(company, { tag: 'Antiga' })
    const bruna = await m.contact(company, { name: 'Bruna', number: '5519988887777' })
    const caio = await m.contact(company, { name: 'Caio', number: '5519988886666' })
    await product().platform.db.write(company, (db) =>
      db
        .insertInto('contact_tags')
        .values([
          { tenant_id: company, contact_id: bruna, tag_id: own },
          { tenant_id: company, contact_id: caio, tag_id: vip },
        ])
        .execute(),
    )
    const lines = [
      'nome;numero;etiquetas',
      'Bruna Prado;5519988887777;vip, Atacado',
      'Caio;5519988886666;VIP',
      'Dora;5519988885555;atacado',
    ]
    const dry = await by.imported(lines.join('\n'), { dryRun: true })
    expect(dry).toMatchObject({ status: 'done', created: 1, updated: 1, unchanged: 1, rejected: 0 })
    const done = await by.steer('run', dry.id)
    expect(done).toMatchObject({ status: 'done', phase: 'run' })
    const tagsOf = async (name: string) =>
      product().platform.db.read(company, async (db) =>
        (
          await db
            .selectFrom('contact_tags as h')
            .innerJoin('contacts as c', 'c.id', 'h.contact_id')
            .innerJoin('tags as t', 't.id', 'h.tag_id')
            .select('t.tag')
            .where('c.name', '=', name)
            .orderBy('t.tag')
            .execute()
        ).map(({ tag }) => tag),
      )
    expect([await tagsOf('Bruna Prado'), await tagsOf('Caio'), await tagsOf('Dora')]).toEqual([
      ['Antiga', 'Atacado', 'VIP'],
      ['VIP'],
      ['Atacado'],
    ])
    const { body } = await call(product(), contactImports.changes, token, { params: { id: dry.id } })
    expect(body).toMatchObject({
      hasMore: false,
      contacts: [
        {
          id: bruna,
          name: 'Bruna Prado',
          changes: [
            { field: 'name', name: null, before: 'Bruna', after: 'Bruna Prado' },
            { field: 'tag', name: 'VIP', before: '', after: 'true' },
            { field: 'tag', name: 'Atacado', before: '', after: 'true' },
          ],
        },
      ],
    })
    expect(await by.steer('undo', dry.id)).toMatchObject({ restored: 2, skipped: 0 })
    expect([await tagsOf('Bruna'), await tagsOf('Dora')]).toEqual([['Antiga'], []])
  })
})
