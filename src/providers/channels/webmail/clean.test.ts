import { expect, test } from 'vitest'
import { formattedOf } from './clean.ts'

const clean = (html: string) => formattedOf(html, []).html ?? ''

/** Content that could run code, make requests, or cover the page. */
const FORBIDDEN =
  /<(script|style|iframe|object|embed|form|input|link|meta|base|svg|math|video|audio|template|noscript)\b|\son\w+\s*=|javascript:|vbscript:|\ssrc\s*=\s*"?(https?:|\/\/|cid:)|url\(|expression\(|@import|position\s*:|srcset|background\s*=|ping=|formaction|&#0*(106|x6a);/i

test.each([
  '<script>alert(1)</script><p>Oi</p>',
  '<img src=x onerror=alert(1)>',
  '<img src="https://rastreio.example/p.gif" width=1 height=1>',
  '<img srcset="https://rastreio.example/p.gif 1x">',
  '<a href="javascript:alert(1)">x</a>',
  '<a href=" java\nscript:alert(1)">x</a>',
  '<a href="&#106;avascript:alert(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<a href="https://x.example" ping="https://rastreio.example">x</a>',
  '<iframe src="https://x.example"></iframe>',
  '<form action="https://x.example"><input name=senha><button formaction="//x.example">ok</button></form>',
  '<style>@import "https://x.example/a.css"; body{display:none}</style>',
  '<link rel=stylesheet href="https://x.example/a.css">',
  '<meta http-equiv="refresh" content="0;url=https://x.example">',
  '<base href="https://x.example/">',
  '<div style="background:url(https://rastreio.example/p.gif)">Oi</div>',
  '<div style="background-image:u\\72l(https://rastreio.example)">Oi</div>',
  '<div style="position:fixed;top:0;left:0;width:100%;height:100%">Oi</div>',
  '<div style="width:expression(alert(1))">Oi</div>',
  '<table background="https://rastreio.example/p.gif"><tr><td>Oi</td></tr></table>',
  '<svg onload=alert(1)><script>alert(1)</script></svg>',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  '<video src="https://x.example/a.mp4" poster="https://rastreio.example/p.jpg"></video>',
  '<object data="https://x.example/a.swf"></object><embed src="https://x.example">',
  '<p id="x" class="y" onclick="alert(1)">Oi</p>',
  '<!--[if mso]><img src="https://rastreio.example/p.gif"><![endif]-->',
  '<img src="cid:nada@x">',
  '<img src="//rastreio.example/p.gif">',
  '<img src="data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+">',
  '<textarea><img src=x onerror=alert(1)></textarea>',
  ...[`${'<div>'.repeat(5000)}fundo`],
])('nothing runs and nothing is asked for: %.80s', (html) => {
  expect(clean(html)).not.toMatch(FORBIDDEN)
})

test('words that look like a picture are words', () => {
  expect(clean('<p>&lt;img data-src=&quot;https://x.example&quot;&gt;</p>')).not.toContain('<img')
})

test('what one reads stays', () => {
  const html = clean(
    '<h1 style="color:#c00;text-align:center">Oferta</h1><p>Só <b>hoje</b>: <a href="https://loja.example/a?b=1&c=2">veja</a></p><table width="100%"><tr><td bgcolor="#eeeeee" style="padding:8px 4px">R$ 10</td></tr></table>',
  )
  expect(html).toContain('<h1 style="color:#c00;text-align:center">Oferta</h1>')
  expect(html).toContain('href="https://loja.example/a?b=1&amp;c=2"')
  expect(html).toContain('rel="noopener noreferrer nofollow"')
  expect(html).toContain('<td bgcolor="#eeeeee" style="padding:8px 4px">R$ 10</td>')
})

const picture = (cid: string, size: number) => ({ name: 'foto.png', mime: 'image/png', bytes: Buffer.alloc(size), cid })

test('small pictures stand within the text, large ones are files, and those from elsewhere wait', () => {
  const files = [picture('logo@x', 100), picture('foto@x', 500_000)]
  const { html, rest } = formattedOf(
    '<img src="cid:logo@x" alt="Logo"><img src="cid:foto@x"><img src="https://x.example/p.png" width="10">',
    files,
  )
  expect(html).toMatch(/^<img (alt="Logo" )?src="data:image\/png;base64,A+=*"/)
  expect(html).toContain('data-src="https://x.example/p.png"')
  expect(html).toMatch(/<img data-src="/)
  expect(html!.match(/<img/g)).toHaveLength(2)
  expect(rest).toEqual([files[1]])
})

test('a text that is too long is read as it is in letters', () => {
  expect(formattedOf(`<p>${'a'.repeat(600_000)}</p>`, []).html).toBeNull()
})

test('one that is too deep to be read is none: what is below is in no mail', () => {
  expect(formattedOf('<div>'.repeat(390_000), []).html).toBeNull()
  expect(clean(`${'<b>'.repeat(4900)}fundo`)).not.toBe('')
  expect(clean('<p>linha'.repeat(20_000))).toContain('linha')
})
