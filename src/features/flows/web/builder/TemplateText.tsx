import { Popover, Textarea, Tooltip } from '@mantine/core'
import { type KeyboardEvent, Suspense, useRef, useState } from 'react'
import { type Selection, toggleMark } from '#domain/messages/mark.ts'
import { TEMPLATE_VARIABLES } from '#domain/messages/template.ts'
import { loadEmoji } from '#features/messages/web/index.ts'
import { formatNumber } from '#web/format.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { t } from '#web/t.ts'
import { BoldIcon, EmojiIcon, ItalicIcon, VariableIcon } from '#web/ui/icons.ts'
import { IconButton } from '#web/ui/inputs/IconButton.tsx'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import { useOwnVariables, useUnknownVariables } from '#web/variables.ts'
import css from './template-text.module.css'

const Emoji = lazyPart(loadEmoji)
const longest = 4000

const MARKS = [
  { mark: '*', key: 'b', label: t('Negrito'), icon: BoldIcon },
  { mark: '_', key: 'i', label: t('Itálico'), icon: ItalicIcon },
] as const

/** Text field with a menu that inserts variables at the caret and, unless the text is for a machine, formatting and emoji. */
export function TemplateText(props: {
  label: string
  value: string
  /** Names of variables that the flow captures; those of calls end with a dot. */
  captured: readonly string[]
  hint?: string
  rows?: number
  autoFocus?: boolean
  isPlain?: boolean
  onChange: (text: string) => void
}) {
  const { label, value, captured, hint, rows = 3, autoFocus = false, isPlain = false, onChange } = props
  const area = useRef<HTMLTextAreaElement>(null)
  const [isPicking, setIsPicking] = useState(false)
  const unknown = useUnknownVariables(value, captured)
  const company = useOwnVariables() ?? []
  const edit = (change: (selection: Selection) => Selection) => {
    const { selectionStart = value.length, selectionEnd = selectionStart } = area.current ?? {}
    const { text, start, end } = change({ text: value, start: selectionStart, end: selectionEnd })
    if (text.length > longest) return
    onChange(text)
    setTimeout(() => {
      area.current?.focus()
      area.current?.setSelectionRange(start, end)
    })
  }
  const write = (written: string) =>
    edit(({ text, start, end }) => {
      const caret = start + written.length
      return { text: text.slice(0, start) + written + text.slice(end), start: caret, end: caret }
    })
  const press = (event: KeyboardEvent) => {
    const one = MARKS.find(({ key }) => key === event.key.toLowerCase())
    if (isPlain || !one || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    edit((selection) => toggleMark(selection, one.mark))
  }
  const own = captured
    .filter((name) => !name.endsWith('.'))
    .map((name) => ({ id: name, label: t('Resposta “{name}”', { name }), run: () => write(`{{${name}}}`) }))
  const all = [
    ...company,
    ...Object.entries(TEMPLATE_VARIABLES).map(([name, called]) => ({ name, label: called })),
  ].map(({ name, label: called }) => ({ id: name, label: called, run: () => write(`{{${name}}}`) }))
  return (
    <div>
      <Textarea
        ref={area}
        label={label}
        description={hint}
        error={unknown}
        autosize
        minRows={rows}
        maxRows={12}
        maxLength={longest}
        autoFocus={autoFocus}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={press}
      />
      <div className={css.below}>
        <span className={css.writing}>
          {!isPlain &&
            MARKS.map(({ mark, key, label: name, icon: Icon }) => (
              <Tooltip key={mark} label={t('{name} (Ctrl+{key})', { name, key: key.toUpperCase() })}>
                <IconButton
                  size={28}
                  aria-label={t('{name} em {label}', { name, label })}
                  onClick={() => edit((selection) => toggleMark(selection, mark))}
                >
                  <Icon size={16} />
                </IconButton>
              </Tooltip>
            ))}
          {!isPlain && (
            <Popover opened={isPicking} onChange={setIsPicking} position="bottom-start" trapFocus>
              <Popover.Target>
                <IconButton
                  size={28}
                  aria-label={t('Emoji em {label}', { label })}
                  onClick={() => setIsPicking(!isPicking)}
                >
                  <EmojiIcon size={16} />
                </IconButton>
              </Popover.Target>
              <Popover.Dropdown p={0}>
                <Suspense fallback={<div className={css.picking} />}>
                  <Emoji
                    onPick={(emoji) => {
                      setIsPicking(false)
                      write(emoji)
                    }}
                  />
                </Suspense>
              </Popover.Dropdown>
            </Popover>
          )}
          <CommandMenu
            commands={[...own, ...all]}
            position="bottom-start"
            target={
              <IconButton size={28} aria-label={t('Inserir uma variável em {label}', { label })}>
                <VariableIcon size={16} />
              </IconButton>
            }
          />
        </span>
        <span>{t('{count} de {most}', { count: formatNumber(value.length), most: formatNumber(longest) })}</span>
      </div>
    </div>
  )
}
