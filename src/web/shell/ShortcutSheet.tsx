import { Modal } from '@mantine/core'
import { t } from '../t.ts'
import { Keys } from '../ui/identity/badges.tsx'
import { available } from '../ui/layout/command.ts'
import { goGroup, useAllCommands } from './commands.ts'
import css from './shortcut-sheet.module.css'

const everywhere = t('Em todo lugar')

/** Every shortcut on offer now, by group; opened with `?`. */
export function ShortcutSheet({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const commands = available(useAllCommands())
  const groups = new Map<string, { label: string; shortcut: string }[]>([[everywhere, []]])
  for (const { group = everywhere, label, shortcut } of commands) {
    if (!shortcut) continue
    const name = group === goGroup ? everywhere : group
    const line = { label: group === goGroup ? t('Ir para {label}', { label }) : label, shortcut }
    groups.set(name, [...(groups.get(name) ?? []), line])
  }
  groups
    .get(everywhere)
    ?.push({ label: t('Salvar formulário'), shortcut: 'mod+enter' }, { label: t('Buscar na lista'), shortcut: '/' })
  return (
    <Modal opened={opened} onClose={onClose} size={820} title={t('Atalhos do teclado')} padding={24}>
      <div className={css.columns}>
        {[...groups].map(([name, lines]) => (
          <section key={name}>
            <h3>{name}</h3>
            <dl>
              {lines.map((line) => (
                <div key={line.label}>
                  <dt>{line.label}</dt>
                  <dd>
                    <Keys of={line.shortcut} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p className={css.footer}>{t('Letras sozinhas não disparam enquanto você escreve.')}</p>
    </Modal>
  )
}
