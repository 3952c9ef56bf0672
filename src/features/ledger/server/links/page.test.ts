import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isPage, readPage } from './page.ts'

const url = 'https://www.loja.com.br/produtos/cama?cor=azul'
const read = (html: string | Uint8Array, contentType = 'text/html; charset=utf-8') =>
  readPage(typeof html === 'string' ? Buffer.from(html) : html, { url, contentType })

test.each<[string, string, object | null]>([
  [
    'a plain page',
    '<title>Cama box</title>',
    { title: 'Cama box', description: '', site: 'loja.com.br', picture: null },
  ],
  [
    'Open Graph before everything else',
    `<head><title>Outro</title><meta name=description content="Resumo do site">
     <meta property="og:title" content="Cama &amp; colchão"><meta property="og:description" content="Casal &#8211; 138&nbsp;cm">
     <meta property='og:site_name' content='Loja das Camas'><meta property="og:image" content="/fotos/1.jpg"></head>`,
    {
      title: 'Cama & colchão',
      description: 'Casal – 138 cm',
      site: 'Loja das Camas',
      picture: 'https://www.loja.com.br/fotos/1.jpg',
    },
  ],
  [
    'Twitter’s names',
    '<meta name="twitter:title" content="Oferta"><meta name="twitter:image" content="https://cdn.test/a.png">',
    { title: 'Oferta', picture: 'https://cdn.test/a.png' },
  ],
  ['the first of two', '<meta property=og:title content=Um><meta property=og:title content=Dois>', { title: 'Um' }],
  ['an empty one is none', '<meta property="og:title" content=" "><title>Cama</title>', { title: 'Cama' }],
  [
    'capital letters',
    '<HEAD><TITLE>Cama</TITLE><META NAME="Description" CONTENT="Resumo"></HEAD>',
    { title: 'Cama', description: 'Resumo' },
  ],
  [
    'a page that was cut',
    '<title>Cama</title><meta property="og:description" content="Resumo',
    { title: 'Cama', description: '' },
  ],
  ['white space and line ends', '<title>\n  Cama\t\n box \u0000\u0007</title>', { title: 'Cama box' }],
  ['marks that turn writing around', '<title>Cama\u202exob\u2066</title>', { title: 'Camaxob' }],
  ['a script in the title is text', '<title><script>alert(1)</script></title>', { title: '<script>alert(1)</script>' }],
  ['no title of a drawing', '<svg><title>Ícone</title></svg><title>Cama</title>', { title: 'Cama' }],
  [
    'what stands in a comment or script is no title',
    '<!-- <title>a</title> --><script>"<title>b</title>"</script>',
    null,
  ],
  [
    'no page of one’s own is called: data',
    '<title>Cama</title><meta property="og:image" content="data:image/png;base64,AA">',
    { picture: null },
  ],
  [
    'no page of one’s own is called: javascript',
    '<title>Cama</title><meta property="og:image" content="javascript:alert(1)">',
    { picture: null },
  ],
  [
    'names of every object',
    '<meta name=__proto__ content=x><meta name=constructor content=y><title>Cama</title>',
    { title: 'Cama' },
  ],
  ['nothing', '', null],
])('%s', (_, html, expected) => {
  const page = read(html)
  if (expected) expect(page).toMatchObject(expected)
  else expect(page).toBeNull()
})

const western = (text: string) => Buffer.from(text, 'latin1')

test.each([
  ['said by the answer', western('<title>Promoção</title>'), 'text/html; charset=windows-1252'],
  [
    'said by the answer, before what the page says',
    western('<meta charset=utf-8><title>Promoção</title>'),
    'text/html;charset="ISO-8859-1"',
  ],
  ['said by the page', western('<meta charset="windows-1252"><title>Promoção</title>'), 'text/html'],
  [
    'said by the page, as of old',
    western('<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1"><title>Promoção</title>'),
    'text/html',
  ],
  ['said by nobody', western('<title>Promoção</title>'), 'text/html'],
  ['UTF-8, said by nobody', Buffer.from('<title>Promoção</title>'), 'text/html'],
  ['UTF-8 that was cut within a letter', Buffer.from('<title>Promoção</title>ç').subarray(0, -1), 'text/html'],
  ['an encoding that nobody knows', Buffer.from('<title>Promoção</title>'), 'text/html; charset=klingon'],
  ['a type that is none', Buffer.from('<title>Promoção</title>'), ';;'],
])('the encoding is %s', (_, html, contentType) => {
  expect(read(html, contentType)?.title).toBe('Promoção')
})

test('long texts are cut, between letters', () => {
  const page = read(`<title>${'🛏'.repeat(5000)}</title><meta name=description content="${'é'.repeat(5000)}">`)
  expect([...page!.title]).toHaveLength(200)
  expect(page!.title.endsWith('🛏…')).toBe(true)
  expect([...page!.description]).toHaveLength(300)
})

test.each([
  ['deep', '<b>'.repeat(170_000) + '</i>'.repeat(120_000)],
  ['many attributes', `<meta ${'a=1 '.repeat(250_000)}>`],
  ['open brackets', '<'.repeat(1_000_000)],
  ['an endless title', `<title>${'<'.repeat(1_000_000)}`],
])('a megabyte of nonsense is read: %s', (_, nonsense) => {
  expect(read(`<title>Cama</title>${nonsense}`)?.title).toBe('Cama')
})

test('whatever is written there is shown as it was written, on one line, and nothing fails', () => {
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  const words = fc.stringMatching(/^[\p{L}\p{N}<>&"'{}$%]{1,12}( [\p{L}\p{N}<>&"'{}$%]{1,12}){0,3}$/u)
  fc.assert(
    fc.property(words, words, (title, description) => {
      const html = `<meta property="og:title" content="${escaped(title)}"><meta name="description" content="${escaped(description)}">`
      expect(read(html)).toMatchObject({ title, description })
    }),
  )
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.string(), (bytes, type) => {
      const page = read(Buffer.concat([Buffer.from('<title>a'), bytes]), type)
      expect(page?.title ?? '').not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u)
    }),
  )
})

test('a page is HTML', () => {
  expect(['text/html', 'TEXT/HTML; charset=x', 'application/xhtml+xml'].map(isPage)).toEqual([true, true, true])
  expect(['', 'image/png', 'application/pdf', 'text/plain', 'text/htmlx'].some(isPage)).toBe(false)
})
