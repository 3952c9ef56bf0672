import { Modal } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { clearSocketLog, exportSocketLog } from '../realtime/socket-log.ts'
import { t } from '../t.ts'
import { iconOf } from '../ui/entry-icons.ts'
import { DarkIcon, DeleteIcon, EnterIcon, ExportIcon, LogoutIcon, SearchIcon } from '../ui/icons.ts'
import { Keys } from '../ui/identity/badges.tsx'
import { available, type Command } from '../ui/layout/command.ts'
import { matches } from '../ui/matches.ts'
import { leave } from './account-commands.ts'
import { goGroup, useAllCommands } from './commands.ts'
import { useFindings } from './findings.ts'
import css from './palette.module.css'
import { useSchemeSwitch } from './scheme.ts'
import { allScreens, entryName, type Screen } from './screens.ts'
import { useSearchHits } from './searches.ts'

type Line = Command & { sub?: string }

// Commands without a key and without another place on every screen.
const group = t('Em todo lugar')
const rare = (toggle: () => void): readonly Command[] => [
  { id: 'scheme', group, label: t('Alternar claro e escuro'), icon: DarkIcon, run: toggle },
  { id: 'log', group, label: t('Exportar o registro da conexão'), icon: ExportIcon, run: exportSocketLog },
  { id: 'clear-log', group, label: t('Limpar o registro da conexão'), icon: DeleteIcon, run: clearSocketLog },
  { id: 'leave', group, label: t('Sair'), icon: LogoutIcon, run: () => void leave() },
]

/** Command palette: hits of the features, available commands, and the user's screens (Ctrl/Cmd+K). */
export function Palette({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size={640}
      zIndex={60}
      yOffset={118}
      centered={false}
      padding={0}
      withCloseButton={false}
      classNames={{ content: css.box, body: css.body }}
      attributes={{ content: { 'aria-label': t('Buscar ou executar') } }}
    >
      <Body onClose={onClose} />
    </Modal>
  )
}

function Body({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const groups = useGroups(typed)
  const listId = useId()
  const list = useRef<HTMLDivElement>(null)
  const flat = groups.flatMap(([, lines]) => lines)
  const run = (line: Line) => {
    onClose()
    line.run()
  }
  const { current, setAt, onKey } = useMarked(flat, run)
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  })
  let index = -1
  return (
    <>
      <Field
        typed={typed}
        listId={listId}
        activeId={flat[current] ? `${listId}-${current}` : undefined}
        onKey={onKey}
        onType={(text) => {
          setTyped(text)
          setAt(0)
        }}
      />
      <div ref={list} id={listId} role="listbox" aria-label={t('Resultados')} className={css.list}>
        {flat.length === 0 && <p className={css.none}>{t('Nada com “{typed}”. Tente parte do nome.', { typed })}</p>}
        {groups.map(([name, lines]) => (
          <div key={name} role="group" aria-label={name}>
            <p className={css.kind}>{name}</p>
            {lines.map((line) => {
              index += 1
              const own = index
              return (
                <Option
                  key={line.id}
                  id={`${listId}-${own}`}
                  line={line}
                  isCurrent={own === current}
                  onPoint={() => setAt(own)}
                  onRun={() => run(line)}
                />
              )
            })}
          </div>
        ))}
      </div>
      <Hints />
    </>
  )
}

/** Returns the hits, commands, screens and settings that match a text, by group. */
function useGroups(typed: string): [string, Line[]][] {
  const navigate = useNavigate()
  const registered = useAllCommands()
  const { toggle } = useSchemeSwitch()
  const commands = [...registered, ...rare(toggle)]
  const hits = useSearchHits(typed)
  const isLookedFor = typed.trim().length > 1
  const found = useFindings(isLookedFor).filter(
    ({ label, keywords }) => isLookedFor && matches(`${label} ${keywords}`, typed),
  )
  const actions = available(commands).filter((one) => matches(one.label, typed))
  const named: [string, Line[]][] = [
    [t('Conversas e contatos'), hits.map((hit) => ({ ...hit, run: () => void navigate({ to: hit.path }) }))],
    ...groupBy(actions.filter((one) => one.group !== goGroup)),
    [goGroup, actions.filter((one) => one.group === goGroup).map((one) => ({ ...one, ...drawn(screenOf(one)) }))],
    [
      t('Ajustes'),
      found.slice(0, 8).map(({ label, id = '', screen }) => ({
        id: `setting ${screen.path} ${label}`,
        label,
        sub: entryName(screen),
        ...drawn(screen),
        run: () => void navigate({ to: screen.path, hash: id }),
      })),
    ],
  ]
  return named.filter(([, lines]) => lines.length > 0)
}

/** Marks one line, which the arrow keys move and Enter runs. */
function useMarked(flat: readonly Line[], run: (line: Line) => void) {
  const [at, setAt] = useState(0)
  const current = Math.min(at, flat.length - 1)
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      event.preventDefault()
      setAt((current + step + flat.length) % Math.max(1, flat.length))
    } else if (event.key === 'Enter' && flat[current]) {
      event.preventDefault()
      run(flat[current])
    }
  }
  return { current, setAt, onKey }
}

/** Text that is looked for; the keys move in the list `listId`, whose marked line is `activeId`. */
function Field(props: {
  typed: string
  listId: string
  activeId: string | undefined
  onKey: (event: KeyboardEvent) => void
  onType: (text: string) => void
}) {
  const { typed, listId, activeId, onKey, onType } = props
  return (
    <div className={css.field}>
      <SearchIcon size={20} />
      <input
        data-autofocus
        role="combobox"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={activeId}
        aria-label={t('Buscar ou executar')}
        placeholder={t('Buscar ou executar')}
        value={typed}
        onKeyDown={onKey}
        onChange={(event) => onType(event.currentTarget.value)}
      />
      <Keys of="esc" />
    </div>
  )
}

function Option(props: { id: string; line: Line; isCurrent: boolean; onPoint: () => void; onRun: () => void }) {
  const { id, line, isCurrent, onPoint, onRun } = props
  return (
    <button
      id={id}
      type="button"
      role="option"
      tabIndex={-1}
      aria-selected={isCurrent}
      className={css.option}
      onPointerMove={() => isCurrent || onPoint()}
      onClick={onRun}
    >
      <span className={css.tile}>{line.icon && <line.icon size={18} />}</span>
      <span className={css.label}>
        {line.label}
        {line.sub && <small>{line.sub}</small>}
      </span>
      {line.shortcut ? <Keys of={line.shortcut} /> : isCurrent && <EnterIcon size={16} />}
    </button>
  )
}

/** Keys of the palette. */
function Hints() {
  return (
    <footer className={css.footer}>
      <span>
        <Keys of="up" /> <Keys of="down" /> {t('mover')}
      </span>
      <span>
        <Keys of="enter" /> {t('abrir')}
      </span>
      <span className={css.last}>
        <Keys of="?" /> {t('atalhos')}
      </span>
    </footer>
  )
}

/** Returns the screen that a command opens. */
const screenOf = ({ id }: Command) => allScreens().find(({ path }) => id === `go ${path}`)

const drawn = (screen: Screen | undefined) => (screen?.icon ? { icon: iconOf(screen.icon) } : {})

function groupBy(commands: readonly Command[]): [string, Line[]][] {
  const found = new Map<string, Line[]>()
  for (const one of commands) {
    const name = one.group ?? t('Ações')
    found.set(name, [...(found.get(name) ?? []), one])
  }
  return [...found]
}
