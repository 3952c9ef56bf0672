import { t } from '#web/t.ts'

/** Recording with its duration. */
export type Recording = { file: File; durationMs: number }

const rate = 16_000

/**
 * Creates a voice sample for computers without a microphone: a hum through the resonances of a few vowels, with the loudness
 * of syllables. It sounds like speech without words.
 */
export async function sampleVoice(): Promise<Recording> {
  const syllables: [seconds: number, pitch: number, first: number, second: number][] = [
    [0.22, 128, 700, 1220],
    [0.16, 141, 390, 2000],
    [0.28, 120, 450, 800],
    [0.12, 0, 0, 0],
    [0.18, 146, 660, 1700],
    [0.2, 135, 310, 2200],
    [0.3, 118, 640, 1190],
    [0.24, 108, 450, 830],
    [0.14, 0, 0, 0],
    [0.2, 139, 390, 1990],
    [0.34, 104, 700, 1220],
  ]
  const seconds = syllables.reduce((sum, [length]) => sum + length, 0.1)
  const context = new OfflineAudioContext(1, Math.ceil(seconds * rate), rate)
  let at = 0.04
  for (const [length, pitch, ...formants] of syllables) {
    if (pitch > 0) speak(context, { at, length, pitch, formants })
    at += length
  }
  const audio = await context.startRendering()
  const file = new File([wav(audio.getChannelData(0))], 'voz-de-exemplo.wav', { type: 'audio/wav' })
  return { file, durationMs: audio.duration * 1000 }
}

function speak(
  context: OfflineAudioContext,
  { at, length, pitch, formants }: { at: number; length: number; pitch: number; formants: number[] },
): void {
  const hum = new OscillatorNode(context, { type: 'sawtooth', frequency: pitch })
  hum.frequency.linearRampToValueAtTime(pitch * 0.9, at + length)
  const loud = new GainNode(context, { gain: 0 })
  loud.gain.setValueAtTime(0, at)
  loud.gain.linearRampToValueAtTime(0.5, at + length * 0.25)
  loud.gain.linearRampToValueAtTime(0, at + length)
  for (const [index, frequency] of formants.entries()) {
    const resonance = new BiquadFilterNode(context, { type: 'bandpass', frequency, Q: 7 })
    hum
      .connect(resonance)
      .connect(new GainNode(context, { gain: index === 0 ? 1 : 0.5 }))
      .connect(loud)
  }
  loud.connect(context.destination)
  hum.start(at)
  hum.stop(at + length)
}

function wav(samples: Float32Array): Blob {
  const bytes = new DataView(new ArrayBuffer(44 + samples.length * 2))
  const write = (at: number, text: string) => {
    for (let i = 0; i < text.length; i++) bytes.setUint8(at + i, text.charCodeAt(i))
  }
  write(0, 'RIFF')
  bytes.setUint32(4, 36 + samples.length * 2, true)
  write(8, 'WAVEfmt ')
  for (const [at, value] of [
    [16, 16],
    [24, rate],
    [28, rate * 2],
  ] as const)
    bytes.setUint32(at, value, true)
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 2],
    [34, 16],
  ] as const)
    bytes.setUint16(at, value, true)
  write(36, 'data')
  bytes.setUint32(40, samples.length * 2, true)
  for (const [i, value] of samples.entries()) {
    bytes.setInt16(44 + i * 2, Math.max(-1, Math.min(1, value)) * 32_767, true)
  }
  return new Blob([bytes.buffer])
}

/** Draws a photo as a customer would take it: a parcel with its label, on a table. */
export async function samplePhoto(label: string): Promise<File> {
  const canvas = new OffscreenCanvas(960, 720)
  const draw = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D
  const fill = (color: string, ...box: [number, number, number, number]) => {
    draw.fillStyle = color
    draw.fillRect(...box)
  }
  const wall = draw.createLinearGradient(0, 0, 960, 420)
  wall.addColorStop(0, '#d8cfc2')
  wall.addColorStop(1, '#b8ab99')
  draw.fillStyle = wall
  draw.fillRect(0, 0, 960, 430)
  fill('#7d5a3c', 0, 430, 960, 290)
  for (let y = 470; y < 720; y += 62) fill('#6b4b31', 0, y, 960, 4)
  draw.filter = 'blur(14px)'
  fill('rgb(40 25 15 / 0.5)', 250, 560, 520, 60)
  draw.filter = 'none'
  fill('#c79b62', 240, 210, 480, 380)
  fill('#b58850', 240, 210, 480, 70)
  fill('#e4d3b0', 440, 210, 76, 150)
  fill('#fbfaf7', 440, 392, 256, 158)
  draw.fillStyle = '#1c1820'
  draw.font = '600 28px system-ui, sans-serif'
  draw.fillText(label, 460, 436, 216)
  for (let x = 460, n = 0; x < 676; x += 5 + ((n * 7) % 6), n++) fill('#1c1820', x, 458, 2 + (n % 3), 68)
  return new File([await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.86 })], 'foto.jpg', {
    type: 'image/jpeg',
  })
}

/** Creates a one-page PDF with a title and a few lines. */
export function sampleDocument(name: string, title: string, lines: readonly string[]): File {
  const text = (value: string) =>
    [...value].map((char) => (/[()\\]/.test(char) ? `\\${char}` : char.codePointAt(0)! < 256 ? char : '?')).join('')
  const rows = lines.map((line) => `0 -24 Td (${text(line)}) Tj`).join('\n')
  const page = `BT /F1 20 Tf 56 770 Td (${text(title)}) Tj /F1 12 Tf 0 -12 Td\n${rows}\nET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${page.length} >>\nstream\n${page}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ]
  let body = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = body.length
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
    return String(offset).padStart(10, '0')
  })
  const start = body.length
  body += `xref\n0 6\n0000000000 65535 f \n${offsets.map((offset) => `${offset} 00000 n \n`).join('')}`
  body += `trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${start}\n%%EOF`
  const bytes = Uint8Array.from(body, (char) => char.charCodeAt(0))
  return new File([bytes], name, { type: 'application/pdf' })
}

/** Examples in a phone's menu. */
export const examples = {
  photo: () => samplePhoto(t('PEDIDO 10519')),
  document: () =>
    sampleDocument('pedido-10519.pdf', t('Pedido 10519'), [
      t('Cliente: Otávio Rezende'),
      t('1 estante de freijó, 180 cm'),
      t('Entrega combinada: sábado, das 8h às 12h'),
    ]),
}
