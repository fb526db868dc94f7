/** Downloads a text as a file. */
export function downloadText(name: string, type: string, text: string): void {
  downloadFile(name, new Blob([text], { type }));
}

/** Downloads bytes as a file. */
export function downloadFile(name: string, file: Blob): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
