const rounded = (value: number): string => value.toLocaleString('pt-BR', { maximumFractionDigits: 1 })

/** Formats a size in bytes as “84 kB”, “1,2 MB”, “3,4 GB” (decimal units). */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`
  return bytes < 1_000_000_000 ? `${rounded(bytes / 1_000_000)} MB` : `${rounded(bytes / 1_000_000_000)} GB`
}
