export function downloadText(name: string, type: string, text: string): void {
  downloadFile(name, new Blob([text], { type }));
}

/** Downloads a CSV text. A spreadsheet reads UTF-8 as such only after its mark, which a text in ASCII does not need. */
export function downloadCsv(name: string, csv: string): void {
  downloadText(name, 'text/csv', /[\u0080-\uffff]/.test(csv) ? `\ufeff${csv}` : csv);
}

export function downloadFile(name: string, file: Blob): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
