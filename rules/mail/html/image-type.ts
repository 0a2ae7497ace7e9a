// Which files a page of a message shows as images: those of the four types that every browser shows and that hold no program.

const types: Record<string, string> = {
  'image/png': 'image/png',
  'image/x-png': 'image/png',
  'image/jpeg': 'image/jpeg',
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/gif': 'image/gif',
  'image/webp': 'image/webp',
}

/** The media type to show a file with: as its sender says or, if that is vague, as its first bytes do. */
export function imageType(given: string, head: Uint8Array): string | undefined {
  const type = given.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return types[type] ?? (type === 'application/octet-stream' ? typeOf(head) : undefined)
}

function typeOf(head: Uint8Array): string | undefined {
  const text = String.fromCharCode(...head.subarray(0, 12))
  if (text.startsWith('\x89PNG\r\n')) return 'image/png'
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (/^GIF8[79]a/.test(text)) return 'image/gif'
  return /^RIFF.{4}WEBP/s.test(text) ? 'image/webp' : undefined
}
