import { memo, type ReactNode, useMemo } from 'react'
import { type Piece, parseText } from '#domain/messages/rich-text.ts'
import css from './bubble.module.css'

/** Message text with its markup rendered; `mark` highlights search terms. */
export const RichText = memo(function RichText(props: { text: string; names?: readonly string[]; mark?: string }) {
  const { text, names, mark } = props
  const pieces = useMemo(() => parseText(text, names), [text, names])
  return <>{pieces.map((piece, index) => draw(piece, index, mark))}</>
})

function draw(piece: Piece, key: number, mark: string | undefined): ReactNode {
  const of = 'of' in piece ? piece.of.map((inner, index) => draw(inner, index, mark)) : null
  switch (piece.kind) {
    case 'bold':
      return <b key={key}>{of}</b>
    case 'italic':
      return <em key={key}>{of}</em>
    case 'strike':
      return <s key={key}>{of}</s>
    case 'mono':
      return <code key={key}>{piece.text}</code>
    case 'block':
      return <pre key={key}>{piece.text}</pre>
    case 'mention':
      return (
        <span key={key} className={css.mention}>
          {piece.text}
        </span>
      )
    case 'link':
      return (
        <a key={key} href={piece.href} target="_blank" rel="noopener noreferrer nofollow">
          {piece.text}
        </a>
      )
    case 'text':
      return mark ? <Marked key={key} text={piece.text} mark={mark} /> : piece.text
  }
}

/** Text with every occurrence of the terms in `mark` highlighted; ignores accents and case. */
export function Marked({ text, mark }: { text: string; mark: string }): ReactNode {
  const folded = fold(text)
  const wanted = fold(mark).split(/\s+/).filter(Boolean)
  // Folding may change the length of exotic text; then highlight nothing rather than the wrong letters.
  if (wanted.length === 0 || folded.length !== text.length) return text
  const longestFirst = wanted.sort((a, b) => b.length - a.length).map((part) => part.replace(special, '\\$&'))
  const parts: ReactNode[] = []
  let from = 0
  for (const { index, 0: found } of folded.matchAll(new RegExp(longestFirst.join('|'), 'g'))) {
    parts.push(
      text.slice(from, index),
      <mark key={index} className={css.mark}>
        {text.slice(index, index + found.length)}
      </mark>,
    )
    from = index + found.length
  }
  return [...parts, text.slice(from)]
}

const special = /[.*+?^${}()|[\]\\]/g

const fold = (text: string) =>
  text
    .normalize('NFC')
    .replace(/[\u00c0-\u024f]/g, (letter) => letter.normalize('NFD')[0] ?? letter)
    .toLowerCase()
