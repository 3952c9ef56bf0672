type Piece = { name: string; about: string; price: string; shape: string; clay: string }

// The base line of each shape is y = 112 in a drawing of 120 × 120.
const SHAPES = {
  jug: 'M52 12h16v16c0 8 22 16 22 46 0 22-12 38-30 38S30 96 30 74c0-30 22-38 22-46z',
  cup: 'M34 52h44l-4 50c0 6-6 10-18 10s-18-4-18-10z',
  bowl: 'M16 60h88c0 30-18 52-44 52S16 90 16 60z',
  vase: 'M48 10h24l-4 22c14 8 22 22 22 42 0 24-12 38-30 38S30 98 30 74c0-20 8-34 22-42z',
  pot: 'M38 62h44v-8H38zM34 64h52l-8 48H42zM60 54c-4-22-22-22-26-36 18 2 26 14 26 30 0-22 6-34 26-40 0 22-14 30-26 46z',
  plate: 'M12 84h96c-4 16-22 28-48 28S16 100 12 84z',
}

const PIECES: readonly Piece[] = [
  {
    name: 'Moringa Serra',
    about: 'Barro natural, 1,2 L, com copo',
    price: '189,00',
    shape: SHAPES.jug,
    clay: '#b5623c',
  },
  { name: 'Caneca Neblina', about: 'Esmalte fosco, 260 ml', price: '74,00', shape: SHAPES.cup, clay: '#6f8793' },
  {
    name: 'Tigela Jatobá',
    about: 'Para salada ou frutas, 28 cm',
    price: '156,00',
    shape: SHAPES.bowl,
    clay: '#8a4b32',
  },
  { name: 'Vaso Bocaina', about: 'Torneado à mão, 31 cm', price: '248,00', shape: SHAPES.vase, clay: '#c98a52' },
  { name: 'Cachepô Manacá', about: 'Com furo e prato, 16 cm', price: '98,00', shape: SHAPES.pot, clay: '#7c5a86' },
  { name: 'Prato Fundo Ipê', about: 'Vai ao forno, 23 cm', price: '86,00', shape: SHAPES.plate, clay: '#c2a24a' },
]

// Handles of the pieces, not filled.
const HANDLES: Readonly<Record<string, string>> = {
  [SHAPES.jug]: 'M68 26c20-8 32 8 18 30',
  [SHAPES.cup]: 'M78 62c20-4 20 28-2 26',
}

const drawing = (shape: string, clay: string): string =>
  `<path d="${shape}" fill="${clay}" stroke="${clay}" stroke-width="3" stroke-linejoin="round"/>${
    HANDLES[shape]
      ? `<path d="${HANDLES[shape]}" fill="none" stroke="${clay}" stroke-width="7" stroke-linecap="round"/>`
      : ''
  }`

const card = ({ name, about, price, shape, clay }: Piece): string => `<li>
<svg viewBox="0 0 120 120" aria-hidden="true"><ellipse cx="60" cy="112" rx="44" ry="4" class="shade"/>${drawing(shape, clay)}</svg>
<h3>${name}</h3><p>${about}</p><p class="price">R$ ${price}</p></li>`

const STYLE = `:root{color-scheme:light dark;--paper:light-dark(#fbf7f1,#191512);--card:light-dark(#fff,#231d19);--ink:light-dark(#2e231c,#f3ebe3);
--soft:light-dark(#6b5a4e,#bfae9f);--line:light-dark(#e8dccf,#3a312b);--clay:light-dark(#9a4a26,#e39a6f);--stage:light-dark(#f3e9dc,#2e2621)}
*{box-sizing:border-box;margin:0}
body{background:var(--paper);color:var(--ink);font:16px/1.55 Georgia,'Times New Roman',serif}
a{color:inherit}
.note{padding:8px 20px;background:light-dark(#2e231c,#33291f);color:#f7efe6;font:13px/1.4 system-ui,sans-serif;text-align:center}
header,section,footer{max-width:1080px;margin:0 auto;padding:0 24px}
header{display:flex;flex-wrap:wrap;align-items:center;gap:8px 28px;padding-block:20px}
.brand{display:flex;align-items:center;gap:10px;margin-right:auto;font-size:22px;font-weight:700;text-decoration:none}
.brand svg{width:34px;height:34px}
nav{display:flex;flex-wrap:wrap;gap:4px 20px;font:15px system-ui,sans-serif}
nav a{padding:6px 0;text-decoration:none}
nav a:hover{text-decoration:underline}
.hero{display:grid;grid-template-columns:1.1fr .9fr;gap:32px;align-items:center;padding-block:28px 44px}
.hero svg{width:100%;border-radius:20px;background:var(--stage)}
h1{font-size:clamp(30px,5vw,46px);line-height:1.12;text-wrap:balance}
.hero p{margin:14px 0 22px;color:var(--soft);font-size:18px;max-width:36em}
.go{display:inline-block;padding:12px 22px;border-radius:999px;background:var(--clay);color:var(--paper);font:600 15px system-ui,sans-serif;text-decoration:none}
h2{font-size:26px;margin-bottom:18px}
ul{list-style:none;padding:0;display:grid;grid-template-columns:repeat(3,1fr);gap:20px}
li{padding:16px;border:1px solid var(--line);border-radius:16px;background:var(--card)}
li svg{display:block;width:100%;height:168px;margin-bottom:12px;padding:14px;border-radius:10px;background:var(--stage)}
.shade{fill:light-dark(#0000001a,#0006)}
h3{font-size:18px}
li p{color:var(--soft);font:14px/1.5 system-ui,sans-serif}
li .price{margin-top:6px;color:var(--ink);font-weight:650;font-size:16px}
dl{display:grid;grid-template-columns:repeat(3,1fr);gap:20px;margin-block:44px;padding:24px;border-radius:16px;background:var(--stage)}
dt{font-weight:700}
dd{margin:2px 0 0;color:var(--soft);font:14px/1.5 system-ui,sans-serif}
footer{padding-block:24px 96px;color:var(--soft);font:14px/1.6 system-ui,sans-serif}
@media (max-width:760px){.hero{grid-template-columns:1fr;padding-block:8px 32px}.hero svg{order:-1;max-height:220px}ul{grid-template-columns:repeat(2,1fr);gap:12px}
li{padding:10px}li svg{height:120px}dl{grid-template-columns:1fr}}
`

/**
 * Returns an example page of a customer's site with a channel's code, in light and dark, without external resources. The
 * token must have been found before.
 */
export const previewPage = (token: string): string => `<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Olaria Moringa · página de exemplo</title>
<style nonce="%NONCE%">
${STYLE}</style>
</head>
<body>
<p class="note">Página de exemplo: a loja é inventada, o webchat no canto é o seu.</p>
<header>
<a class="brand" href="#inicio"><svg viewBox="0 0 120 120" aria-hidden="true">${drawing(SHAPES.jug, '#b5623c')}</svg>Olaria Moringa</a>
<nav aria-label="Seções"><a href="#pecas">Peças</a><a href="#entrega">Entrega</a><a href="#contato">Contato</a></nav>
</header>
<main id="inicio">
<section class="hero">
<div><h1>Cerâmica feita à mão na serra, para usar todo dia</h1>
<p>Peças de barro torneadas uma a uma em Cunha, queimadas a lenha e embaladas para chegar inteiras à sua casa.</p>
<a class="go" href="#pecas">Ver as peças</a></div>
<svg viewBox="0 0 320 200" aria-hidden="true"><circle cx="246" cy="58" r="34" fill="#e6a85a"/>
<path d="M0 150q60-60 120-24t110-34 90 30v78H0z" fill="#7f9678"/><path d="M0 176q90-34 170-12t150-18v54H0z" fill="#5d7560"/>
<g transform="translate(70 72)">${drawing(SHAPES.vase, '#c98a52')}</g><g transform="translate(158 72)">${drawing(SHAPES.jug, '#b5623c')}</g></svg>
</section>
<section id="pecas"><h2>Peças da semana</h2><ul>${PIECES.map(card).join('')}</ul></section>
<section id="entrega"><dl>
<div><dt>Entrega em todo o Brasil</dt><dd>Frete grátis acima de R$ 299. Sul e Sudeste em 3 a 5 dias úteis.</dd></div>
<div><dt>Pague como preferir</dt><dd>Pix com 5% de desconto ou cartão em até 6 vezes sem juros.</dd></div>
<div><dt>Quebrou? Trocamos</dt><dd>Mande uma foto pelo chat em até 7 dias e enviamos outra peça.</dd></div>
</dl></section>
</main>
<footer id="contato">Olaria Moringa · Rua das Hortênsias, 120, Cunha (SP) · terça a sábado, das 9h às 18h<br>Ficou com dúvida? Chame a gente no chat.</footer>
<script async src="/widget/guiche.js" data-token="${encodeURIComponent(token)}" nonce="%NONCE%"></script>
</body>
</html>`
