import { t } from '#web/t.ts'
import { ArrowDownIcon, ArrowUpIcon, CopyIcon, DeleteIcon } from '#web/ui/icons.ts'
import type { Command } from '#web/ui/layout/command.ts'

/** Returns the commands of an item in a sortable list. */
export function itemCommands(props: {
  index: number
  count: number
  onMove: (to: number) => void
  onDuplicate: () => void
  onRemove: () => void
}): readonly Command[] {
  const { index, count, onMove, onDuplicate, onRemove } = props
  return [
    { id: 'up', label: t('Subir'), icon: ArrowUpIcon, when: () => index > 0, run: () => onMove(index - 1) },
    {
      id: 'down',
      label: t('Descer'),
      icon: ArrowDownIcon,
      when: () => index < count - 1,
      run: () => onMove(index + 1),
    },
    { id: 'copy', label: t('Duplicar'), icon: CopyIcon, run: onDuplicate },
    { id: 'remove', label: t('Excluir'), icon: DeleteIcon, tone: 'neg', run: onRemove },
  ]
}

/** Returns the index of an item after another was moved. */
export function indexAfter(index: number, from: number, to: number): number {
  if (index === from) return to
  if (from < index && index <= to) return index - 1
  return to <= index && index < from ? index + 1 : index
}
