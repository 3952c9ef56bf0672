import iconv from 'iconv-lite'
import { beforeAll, describe, expect, it } from 'vitest'
import { importsBy } from '#test/contact-imports.ts'
import { make } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { contactImports } from './imports-contract.ts'

/** Files as other programs write them, with the expected contacts. */
const product = withProduct()
let admin: string
let tenantId: number
beforeAll(async () => {
  const m = make(product().platform)
  tenantId = await m.tenant()
  admin = (await m.person(tenantId, { profile: 'admin' })).token
})
const { imported, ended, send, steer } = importsBy(product, () => admin)

const everybody = () =>
  product().platform.db.read(tenantId, (db) =>
    db.selectFrom('contacts').select(['name', 'number', 'email', 'cpf', 'extra_info']).orderBy('id').execute(),
  )

const google =
  'First Name,Middle Name,Last Name,Organization Name,Birthday,Labels,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value,Phone 2 - Value\r\n'
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')
it.each<[string, string | Buffer, object[]]>([
  [
    'numbers as they are pasted',
    '\ufeffnome;telefone\r\nIara;\u202a+55 19 99812\u20115501\u202c\r\nIvo;p:+5519998125502\r\n',
    [
      { name: 'Iara', number: '5519998125501' },
      { name: 'Ivo', number: '5519998125502' },
    ],
  ],
  [
    'UTF-16 of a spreadsheet, and leads of Meta',
    utf16('full_name\tphone_number\temail\r\nJosé Conceição\tp:+5519998125503\tj@x.example\r\n'),
    [{ name: 'José Conceição', number: '5519998125503', email: 'j@x.example' }],
  ],
  [
    'contacts of Google',
    `${google}Lia,,Prado,, --03-14,* myContacts,lia@x.example ::: lia2@x.example,Mobile,+55 19 99812-5504 ::: +55 19 3322-1100,+55 11 4000-0000\r\n` +
      'Rui,,Alves,Sol Ltda,,* myContacts,,Mobile,19 99812-5505,\r\n',
    [
      {
        ...{ name: 'Lia Prado', number: '5519998125504', email: 'lia@x.example' },
        extra_info: expect.arrayContaining([
          expect.objectContaining({ name: 'Aniversário', value: '14/03' }),
          expect.objectContaining({ value: '+55 19 3322-1100' }),
          expect.objectContaining({ value: 'lia2@x.example' }),
        ]),
      },
      { name: 'Rui Alves', number: '5519998125505' },
    ],
  ],
  [
    'contacts of Outlook',
    'First Name,Last Name,Company,Mobile Phone,E-mail Address,Birthday\r\nNina,Prado,Sol,+55 19 99812-5506,nina@x.example,14/03/1968\r\n',
    [{ name: 'Nina Prado', number: '5519998125506', email: 'nina@x.example' }],
  ],
  [
    'documents without their zeros',
    'nome;telefone;cpf\r\nOtto;19998125507;1234567890\r\nPia;19998125508;1000000000154\r\n',
    [{ cpf: '01234567890' }, { cpf: '01000000000154' }],
  ],
  [
    'a hint of the delimiter',
    'sep=;\r\nnome;telefone\r\nQuim;19998125509\r\n',
    [{ name: 'Quim', number: '5519998125509' }],
  ],
  [
    'titles above the header',
    'Relatório de clientes\r\n\r\nnome;telefone;cidade\r\nRita;19998125510;Campinas\r\n',
    [{ name: 'Rita', number: '5519998125510' }],
  ],
  [
    'letters of DOS',
    iconv.encode('nome;telefone\r\nConceição Araújo;19998125511\r\n', 'cp850'),
    [{ name: 'Conceição Araújo', number: '5519998125511' }],
  ],
  [
    'letters of Windows',
    iconv.encode('nome;telefone\r\nAntônio Guimarães;19998125512\r\n', 'windows-1252'),
    [{ name: 'Antônio Guimarães', number: '5519998125512' }],
  ],
  [
    'an empty mobile beside another number',
    'Nome,Celular,Telefone\r\nSara,,(19) 3322-5513\r\n',
    [{ name: 'Sara', number: '551933225513' }],
  ],
  [
    'cards of old and new phones',
    [
      ...[
        'BEGIN:VCARD',
        'VERSION:2.1',
        'N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=50=72=61=64=6F;=4C=C3=AD=',
        '=61;;;',
      ],
      ...['SOUND;X-IRMC-N:;;;;', 'TEL;CELL;PREF:+5519998125514', 'NOTE:linha um', 'linha dois', 'END:VCARD'],
      ...['begin:vcard', 'version:3.0', 'fn:Ugo', 'item1.tel;type=pref:\u202a+55 19 99812\u20115515\u202c'],
      ...['bday;value=date:1604-03-14', 'end:vcard', ''],
    ].join('\r\n'),
    [
      {
        name: 'Lía Prado',
        number: '5519998125514',
        extra_info: [expect.objectContaining({ value: 'linha um\nlinha dois' })],
      },
      { name: 'Ugo', number: '5519998125515', extra_info: [expect.objectContaining({ value: '14/03' })] },
    ],
  ],
])('%s', async (kind, file, wanted) => {
  const before = (await everybody()).length
  const done = await imported(file, {}, kind.startsWith('cards') ? 'agenda.vcf' : 'contatos.csv')
  expect({ ...done, firstRejected: done.firstRejected }).toMatchObject({
    created: wanted.length,
    rejected: 0,
    problem: '',
  })
  expect((await everybody()).slice(before)).toMatchObject(wanted)
})

describe('letters that may be other ones', () => {
  const file = (encoding: string) => iconv.encode('nome;número\r\nJOÃO ALVES;19998125581\r\n', encoding)
  const doubtful = {
    encoding: 'windows-1252',
    isDoubtful: true,
    candidates: [
      { encoding: 'windows-1252', samples: ['JOÇO ALVES', expect.any(String)] },
      { encoding: 'cp850', samples: ['JOÃO ALVES', 'número'] },
    ],
  }

  it('are asked about before anything comes in, and read as somebody says', async () => {
    const before = (await everybody()).length
    const asked = await imported(Buffer.from('nome;telefone\r\nJO\xc7O ALVES;19998125581\r\n', 'latin1'))
    expect(asked).toMatchObject({ phase: 'check', status: 'done', dryRun: true, created: 1 })
    expect(asked.letters).toMatchObject({ ...doubtful, candidates: [{ samples: ['JOÇO ALVES'] }, {}] })
    expect(await everybody()).toHaveLength(before)
    const body = { encoding: 'cp850', addTags: false } as const
    const said = await call(product(), contactImports.check, admin, { params: { id: asked.id }, body })
    expect(said.status).toBe(200)
    const checked = await ended(asked.id)
    expect(checked.letters).toMatchObject({ encoding: 'cp850', isDoubtful: false })
    expect(checked.columns.map(({ use }) => use)).toEqual(['name', 'number'])
    // Other options keep the chosen encoding.
    const again = { columns: checked.columns.map(({ use }) => use), onDuplicate: 'skip' as const, addTags: false }
    await call(product(), contactImports.check, admin, { params: { id: asked.id }, body: again })
    expect((await ended(asked.id)).letters).toMatchObject({ encoding: 'cp850', isDoubtful: false })
    await steer('run', asked.id)
    expect((await everybody()).at(-1)).toMatchObject({ name: 'JOÃO ALVES' })
  })

  it('are no question where the file or a program says what they are', async () => {
    const said = await imported(file('cp850'), { encoding: 'cp850' }, 'dito.csv')
    expect(said).toMatchObject({ phase: 'run', letters: { encoding: 'cp850', isDoubtful: false } })
    expect(await imported('nome;telefone\r\nJOÃO LIMA;19998125582\r\n')).toMatchObject({ phase: 'run', letters: null })
    expect(await send(file('cp850'), { encoding: 'ebcdic' })).toMatchObject({
      status: 400,
      body: { error: 'ERR_VALIDATION' },
    })
  })
})
