# Installs croupier @VERSION@ for this user of Windows: programs and completions.
#
#   irm @REPOSITORY@/releases/latest/download/croupier-install.ps1 | iex
#
# CROUPIER_PREFIX is the folder in which to install, CROUPIER_DOWNLOAD the address of the archive.
$ErrorActionPreference = 'Stop'
$version = '@VERSION@'
$expected = '@SHA256 croupier-@VERSION@-x86_64-pc-windows-msvc.zip@'
$name = "croupier-$version-x86_64-pc-windows-msvc"
$prefix = if ($env:CROUPIER_PREFIX) { $env:CROUPIER_PREFIX } else { Join-Path $env:LOCALAPPDATA 'Programs\croupier' }
$address = if ($env:CROUPIER_DOWNLOAD) { $env:CROUPIER_DOWNLOAD } else { "@REPOSITORY@/releases/download/v$version" }

$folder = Join-Path ([IO.Path]::GetTempPath()) ([IO.Path]::GetRandomFileName())
New-Item -ItemType Directory -Path $folder | Out-Null
try {
    $archive = Join-Path $folder "$name.zip"
    Invoke-WebRequest -UseBasicParsing -Uri "$address/$name.zip" -OutFile $archive
    $found = (Get-FileHash -Algorithm SHA256 $archive).Hash.ToLowerInvariant()
    if ($found -ne $expected) { throw "$name.zip has the checksum $found instead of $expected" }
    Expand-Archive -Path $archive -DestinationPath $folder
    New-Item -ItemType Directory -Force -Path $prefix | Out-Null
    foreach ($file in 'dealer.exe', 'croupier.exe', 'completions\_dealer.ps1', 'completions\_croupier.ps1') {
        Copy-Item -Force (Join-Path $folder "$name\$file") $prefix
    }
} finally {
    Remove-Item -Recurse -Force $folder
}
$path = [Environment]::GetEnvironmentVariable('Path', 'User')
if (-not ($path -split ';' -contains $prefix)) {
    [Environment]::SetEnvironmentVariable('Path', (@($path, $prefix) | Where-Object { $_ }) -join ';', 'User')
    Write-Output "$prefix is in the Path of new windows."
}
Write-Output "dealer and croupier $version are in $prefix"
